import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl lsp in a recorded session');
const svcctl = new SvcctlProcess();
test.before(() => svcctl.build());
test.after(() => svcctl.dispose());

/**
 * A session of Neovim 0.7.2 with `svcctl lsp`, as it went over both streams: a text with CRLF and characters of two units is
 * opened, corrected and asked about. `<uri>` and `<root>` stand for the folder.
 */
const SESSION = fileURLToPath(new URL('neovim.session.ndjson', import.meta.url));
const LIBRARY = '# zażółć\r\nMACRO settle:\r\n  WAIT $1\r\n';

interface Message {
  jsonrpc: '2.0';
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
}

interface Line {
  from: 'editor' | 'server';
  message: Message;
}

/** Messages of the server in the order in which they come. */
class Received {
  readonly #messages: Message[] = [];
  #wake = () => {};

  constructor(server: ChildProcess) {
    new StreamMessageReader(server.stdout!).listen((message) => {
      this.#messages.push(message as Message);
      this.#wake();
    });
  }

  async next(): Promise<Message> {
    while (this.#messages.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#messages.shift()!;
  }
}

const plain = (message: Message): Message => {
  const { result } = message;
  // Only the version of the software may differ.
  return result?.serverInfo ? { ...message, result: { ...result, serverInfo: null } } : message;
};

test('LSP-001 each request of a session that Neovim had is answered as then', async () => {
  const root = realpathSync(svcctl.directory);
  const lines = readFileSync(SESSION, 'utf8')
    .replaceAll('<uri>', pathToFileURL(root).href)
    .replaceAll('<root>', root)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  svcctl.write('lib.oql', LIBRARY);
  svcctl.write('svc.yaml', 'plugins: {}\n');
  const opened = lines.find(({ message }) => message.method === 'textDocument/didOpen')!.message.params!;
  svcctl.write('top.oql', (opened.textDocument as { text: string }).text);
  const server = spawn(process.execPath, [svcctl.program, 'lsp'], {
    cwd: root,
    env: { PATH: process.env.PATH },
  });
  const ended = once(server, 'exit');
  const received = new Received(server);
  const writer = new StreamMessageWriter(server.stdin);
  const asked = new Set<string>();
  for (const { from, message } of lines) {
    if (from === 'server') {
      assert.equal(plain(await received.next()), plain(message));
      continue;
    }
    if (message.id !== undefined) asked.add(message.method!);
    // The server ends with the process that it is given.
    const params =
      message.method === 'initialize' ? { ...message.params, processId: process.pid } : message.params;
    await writer.write({ ...message, ...(params ? { params } : {}) });
  }
  assert.is((await ended)[0], 0);
  assert.ok(asked.size >= 14, [...asked].join(' '));
});

test.run();
