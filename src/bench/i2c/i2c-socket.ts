import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import * as z from 'zod';
import type { I2cTwin } from '../../devices/twin.ts';
import { encodeMessage, MessageReader } from '../../transports/bench/messages.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import type { I2cAnswer } from '../../transports/i2c/i2c-bus.ts';

const requestSchema = z.object({
  address: z.int().min(0).max(0x7f),
  write: z.string().regex(/^([0-9a-fA-F]{2}(\s|$))*$/),
  read: z.int().min(0).max(256),
});

/** An I2C bus of twins on a Unix socket; an address without a twin is not acknowledged. */
export class I2cSocket {
  readonly path: string;
  readonly #twins: ReadonlyMap<number, I2cTwin>;
  readonly #clients = new Set<Socket>();
  #server: Server | undefined;

  constructor(options: { path: string; twins: ReadonlyMap<number, I2cTwin> }) {
    this.path = options.path;
    this.#twins = options.twins;
  }

  /** Connected now. */
  get clients(): number {
    return this.#clients.size;
  }

  async open(): Promise<void> {
    rmSync(this.path, { force: true });
    const server = createServer((client) => this.#serve(client));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.path, () => resolve());
    });
    this.#server = server;
  }

  /** Hangs up on the clients; the socket is gone afterwards. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const client of this.#clients) client.destroy();
    if (!server) return;
    await new Promise<void>((resolve) => server.close(() => resolve()));
    rmSync(this.path, { force: true });
  }

  #serve(client: Socket): void {
    const reader = new MessageReader();
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client));
    client.on('error', () => {});
    client.on('data', (chunk: Uint8Array) => {
      try {
        for (const message of reader.push(chunk)) client.write(encodeMessage(this.#answer(message)));
      } catch {
        // Any other input closes the connection; a driver sees `port_gone`.
        client.destroy();
      }
    });
  }

  #answer(message: unknown): I2cAnswer {
    const request = requestSchema.safeParse(message);
    if (!request.success) return { ok: false, error: 'bad_request' };
    const twin = this.#twins.get(request.data.address);
    if (!twin) return { ok: false, error: 'nack' };
    const answer = twin.transfer(bytesOf(request.data.write), request.data.read);
    return answer.ok ? { ok: true, bytes: hexOf(answer.bytes) } : answer;
  }
}
