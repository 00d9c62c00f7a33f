import type { ChildProcess } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
} from 'vscode-languageserver/node';

/** What VS Code announces, as far as the server asks for it. */
const CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    applyEdit: true,
    workspaceFolders: true,
    // The registration that follows is refused: no handler is installed for it.
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { relatedInformation: true, versionSupport: true },
    hover: { contentFormat: ['markdown', 'plaintext'] },
  },
};

interface Position {
  readonly line: number;
  readonly character: number;
}

/** The editor's side of a session with a language server, over its standard input and output. */
export class Editor {
  readonly connection: ProtocolConnection;
  readonly root: string;
  readonly #published = new Map<string, { version: number | undefined; diagnostics: Diagnostic[] }>();
  readonly #waiting = new Set<() => void>();
  readonly #texts = new Map<string, { version: number; text: string }>();
  /** What the server logged and showed. */
  readonly messages: string[] = [];

  constructor(child: ChildProcess, root: string) {
    this.root = root;
    this.connection = createProtocolConnection(child.stdout!, child.stdin!);
    this.connection.onNotification('textDocument/publishDiagnostics', ({ uri, version, diagnostics }) => {
      this.#published.set(uri, { version, diagnostics });
      for (const wake of this.#waiting) wake();
    });
    for (const method of ['window/logMessage', 'window/showMessage'])
      this.connection.onNotification(method, ({ message }: { message: string }) => {
        this.messages.push(message);
      });
    this.connection.listen();
  }

  uri = (name: string): string => pathToFileURL(`${this.root}/${name}`).href;

  async initialize(): Promise<{ capabilities: Record<string, unknown> }> {
    const workspaceFolders = [{ uri: pathToFileURL(this.root).href, name: 'rig' }];
    const result = await this.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: workspaceFolders[0]!.uri,
      capabilities: CAPABILITIES,
      workspaceFolders,
    });
    await this.connection.sendNotification('initialized', {});
    return result as { capabilities: Record<string, unknown> };
  }

  async open(name: string, text: string): Promise<void> {
    this.#texts.set(name, { version: 1, text });
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: this.uri(name), languageId: 'svc-scenario', version: 1, text },
    });
  }

  /** Types over a part of the text, as an editor reports it. */
  async type(name: string, part: string, by: string): Promise<void> {
    const { version, text } = this.#texts.get(name)!;
    const start = text.indexOf(part);
    if (start < 0) throw new Error(`${name} does not contain ${part}`);
    const range = { start: positionIn(text, start), end: positionIn(text, start + part.length) };
    const changed = text.slice(0, start) + by + text.slice(start + part.length);
    this.#texts.set(name, { version: version + 1, text: changed });
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: this.uri(name), version: version + 1 },
      contentChanges: [{ range, text: by }],
    });
  }

  text = (name: string): string => this.#texts.get(name)!.text;

  /** The findings of the current text. */
  async diagnostics(name: string): Promise<Diagnostic[]> {
    const uri = this.uri(name);
    const wanted = () => {
      const published = this.#published.get(uri);
      return published?.version === this.#texts.get(name)!.version ? published.diagnostics : undefined;
    };
    for (let found = wanted(); ; found = wanted()) {
      if (found) return found;
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  /** The next findings that are sent for a text, whatever its version. */
  forgetDiagnostics(name: string): void {
    this.#published.delete(this.uri(name));
  }

  /** A request about the place where a part of the text starts, `skip` characters further. */
  at<T>(method: string, name: string, part: string, skip = 0, more: object = {}): Promise<T> {
    const { text } = this.#texts.get(name)!;
    return this.about(method, name, { position: positionIn(text, text.indexOf(part) + skip), ...more });
  }

  about<T>(method: string, name: string, more: object = {}): Promise<T> {
    return this.connection.sendRequest<T>(method, { textDocument: { uri: this.uri(name) }, ...more });
  }

  /** The text between two positions. */
  slice(name: string, { start, end }: { start: Position; end: Position }): string {
    const { text } = this.#texts.get(name)!;
    return text.slice(offsetIn(text, start), offsetIn(text, end));
  }

  /** The text after the edits. */
  edited(
    name: string,
    edits: readonly { range: { start: Position; end: Position }; newText: string }[],
  ): string {
    const { text } = this.#texts.get(name)!;
    return [...edits]
      .sort((a, b) => offsetIn(text, b.range.start) - offsetIn(text, a.range.start))
      .reduce(
        (changed, { range, newText }) =>
          changed.slice(0, offsetIn(text, range.start)) + newText + changed.slice(offsetIn(text, range.end)),
        text,
      );
  }

  /** Ends the session as an editor does. */
  async exit(): Promise<void> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
  }
}

/** Line and UTF-16 column from 0; CRLF is one line end. */
function positionIn(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}

function offsetIn(text: string, { line, character }: Position): number {
  let offset = 0;
  for (let at = 0; at < line; at++) {
    const end = /\r\n|\r|\n/.exec(text.slice(offset))!;
    offset += end.index + end[0].length;
  }
  return offset + character;
}
