import { type Connection, DiagnosticSeverity, type TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { findingsOf } from '../../scenario/language-service/findings.ts';
import { diagnosticOf } from './convert.ts';
import { fileOfUri } from './file-uri.ts';
import type { Workspace } from './workspace.ts';

/** Time without a change after which a text is checked, ms. */
const QUIET_MS = 200;

/** Sends the findings of the open texts to the editor. */
export class Publisher {
  readonly #connection: Connection;
  readonly #documents: TextDocuments<TextDocument>;
  readonly #workspace: () => Workspace;
  readonly #clock: Clock;
  /** Cancels the check of a text that is due. */
  readonly #pending = new Map<string, () => void>();

  constructor(
    connection: Connection,
    documents: TextDocuments<TextDocument>,
    workspace: () => Workspace,
    clock: Clock,
  ) {
    this.#connection = connection;
    this.#documents = documents;
    this.#workspace = workspace;
    this.#clock = clock;
  }

  /** Checks a text when it has not been changed for a moment. */
  publishSoon(uri: string): void {
    this.#cancel(uri);
    this.#pending.set(
      uri,
      this.#clock.after(QUIET_MS, () => {
        this.#pending.delete(uri);
        void this.#publish(uri);
      }),
    );
  }

  /** Removes the findings of a text that was closed. */
  withdraw(uri: string): void {
    this.#cancel(uri);
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  #cancel(uri: string): void {
    this.#pending.get(uri)?.();
    this.#pending.delete(uri);
  }

  async #publish(uri: string): Promise<void> {
    const document = this.#documents.get(uri);
    if (!document) return;
    const { version } = document;
    const diagnostics = await this.#diagnostics(document);
    await this.#connection.sendDiagnostics({ uri, version, diagnostics });
  }

  async #diagnostics(document: TextDocument) {
    try {
      const analysis = await this.#workspace().analysis(fileOfUri(document.uri), document.getText());
      return findingsOf(analysis).map((finding) => diagnosticOf(document, analysis, finding));
    } catch (thrown) {
      // Without its rig a scenario cannot be judged; the one finding is the reason.
      const start = { line: 0, character: 0 };
      const severity = DiagnosticSeverity.Error;
      return [{ range: { start, end: start }, severity, source: 'svcctl', message: messageOf(thrown) }];
    }
  }
}
