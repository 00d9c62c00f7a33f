import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What becomes of an answer of the bridge on its way: another body, the connection cut, or nothing at all. The bridge has
 * done what was asked in any case.
 */
export type Spoil = 'cut' | 'silence' | ((body: Record<string, unknown>) => Record<string, unknown>);

/** Stands before a real bridge and spoils answers; everything else passes as it is. */
export class SpoilingProxy {
  /** Requests that came, `POST /api/v1/...`. */
  readonly requests: string[] = [];
  readonly #bridgeUrl: string;
  readonly #server: Server;
  #spoils: readonly (readonly [line: RegExp, spoil: Spoil])[] = [];

  constructor(bridgeUrl: string) {
    this.#bridgeUrl = bridgeUrl;
    this.#server = createServer((incoming, answer) => this.#pass(incoming, answer));
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on these answers are spoilt. @param line matches `METHOD path` */
  spoil(line: RegExp, spoil: Spoil): void {
    this.#spoils = [[line, spoil]];
    this.requests.length = 0;
  }

  count(line: RegExp): number {
    return this.requests.filter((request) => line.test(request)).length;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const line = `${incoming.method} ${incoming.url}`;
    this.requests.push(line);
    const spoil = this.#spoils.find(([pattern]) => pattern.test(line))?.[1];
    const { method, headers } = incoming;
    const outgoing = request(this.#bridgeUrl + incoming.url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => {
        if (spoil === 'silence') return;
        if (spoil === 'cut') {
          incoming.socket.destroy();
          return;
        }
        const body = spoil ? JSON.stringify(spoil(JSON.parse(text) as Record<string, unknown>)) : text;
        const type = response.headers['content-type'] ?? 'application/json';
        answer.writeHead(response.statusCode ?? 502, { 'content-type': type }).end(body);
      });
    });
    outgoing.on('error', () => incoming.socket.destroy());
    incoming.pipe(outgoing);
  }
}
