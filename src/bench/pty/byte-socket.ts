import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { SerialTwin } from '../../devices/twin.ts';

/** A serial line as a Unix socket of plain bytes: how QEMU wires the UART of a machine (`-chardev socket`). It knows no bit rate. */
export class ByteSocket {
  readonly path: string;
  readonly #line: SerialTwin;
  #server: Server | undefined;
  #client: Socket | undefined;

  constructor(options: { path: string; line: SerialTwin }) {
    this.path = options.path;
    this.#line = options.line;
  }

  /** 0 or 1. */
  get clients(): number {
    return this.#client ? 1 : 0;
  }

  async open(): Promise<void> {
    rmSync(this.path, { force: true });
    const server = createServer((client) => {
      if (this.#client) {
        client.destroy();
        return;
      }
      this.#client = client;
      this.#line.connect((bytes) => client.write(bytes));
      client.on('data', (bytes: Uint8Array) => this.#line.receive(bytes));
      client.on('error', () => {});
      client.on('close', () => {
        this.#client = undefined;
        this.#line.connect(() => {});
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.path, () => resolve());
    });
    this.#server = server;
  }

  /** Disconnects the client; the socket is gone afterwards. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#client?.destroy();
    await closed;
    rmSync(this.path, { force: true });
  }
}
