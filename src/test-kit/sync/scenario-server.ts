import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Row = Readonly<Record<string, unknown>>;

/** How one request goes wrong. */
export type Fault =
  | { readonly status: number; readonly body?: unknown; readonly type?: string }
  /** The connection is cut without an answer. */
  | 'cut'
  /** The row is written, then the connection is cut. */
  | 'cut-after-write'
  /** No answer comes. */
  | 'hang'
  /** The row is written only when `release()` is called. */
  | 'hold';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const PATH = '/api/v3/data/test_scenarios';

/** A scenario database as HTTP server: its rows lie in a file with one JSON object for each line. */
export class ScenarioServer {
  readonly requests: Received[] = [];
  /** Decides for each request whether it fails. @param index of the request, from 0 */
  fault: (request: Received, index: number) => Fault | undefined = () => undefined;
  /** The rows of a page; overwritten by tests of servers that page wrongly. */
  page = (rows: readonly unknown[], skip: number, limit: number): unknown => ({
    rows: rows.slice(skip, skip + limit),
  });
  /** Items come in `data`, as some servers send them. */
  wrapsItems = false;
  readonly #file: string;
  readonly #server: Server;
  #rows: Row[] = [];
  #held: (() => void)[] = [];

  private constructor(file: string) {
    this.#file = file;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** @param file where the rows are kept */
  static async start(file: string, rows: readonly unknown[]): Promise<ScenarioServer> {
    const server = new ScenarioServer(file);
    server.write(rows);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What the file holds. */
  rows(): Row[] {
    return readFileSync(this.#file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  }

  row(id: string): Row | undefined {
    return this.rows().find((row) => row?.id === id);
  }

  write(rows: readonly unknown[]): void {
    this.#rows = JSON.parse(JSON.stringify(rows)) as Row[];
    writeFileSync(`${this.#file}.new`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** Answers what was held. */
  release(): void {
    for (const answer of this.#held.splice(0)) answer();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    request.setEncoding('utf8');
    for await (const chunk of request) text += chunk;
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    };
    const fault = this.fault(received, this.requests.length);
    this.requests.push(received);
    if (fault === 'hang') return;
    if (fault === 'cut') {
      request.socket.destroy();
      return;
    }
    if (typeof fault === 'object') {
      const { status, body = { detail: `fault ${status}` }, type = 'application/json' } = fault;
      response.writeHead(status, { 'content-type': type });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
      return;
    }
    if (fault === 'hold') await new Promise<void>((resolve) => this.#held.push(resolve));
    const { status, body } = this.#answer(received);
    if (fault === 'cut-after-write') request.socket.destroy();
    else {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    }
  }

  #answer({ method, path, body }: Received): { status: number; body: unknown } {
    const url = new URL(path, 'http://server');
    const rows = [...this.#rows];
    if (url.pathname === PATH) {
      const [skip, limit] = ['skip', 'limit'].map((name) => Number(url.searchParams.get(name)));
      return { status: 200, body: this.page(rows, skip ?? 0, limit ?? 0) };
    }
    const id = decodeURIComponent(url.pathname.slice(PATH.length + 1));
    const at = rows.findIndex((row) => row?.id === id);
    if (!url.pathname.startsWith(`${PATH}/`) || at < 0)
      return { status: 404, body: { detail: `no scenario ${id}` } };
    if (method !== 'GET') {
      rows[at] = { ...rows[at], ...(body as Row) };
      this.write(rows);
    }
    return { status: 200, body: this.wrapsItems ? { success: true, data: rows[at] } : rows[at] };
  }
}
