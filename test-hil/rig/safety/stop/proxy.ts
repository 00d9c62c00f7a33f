import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { machineMs } from './machine-time.ts';

/** Stands between a command and the bridge, only to see when the command's first byte comes. */
export class FirstByteProxy {
  readonly #server: Server;
  #firstMs: number | undefined;

  /** @param url of the bridge */
  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#server = createServer((client) => {
      const bridge = connect(Number(port), hostname);
      client.once('data', () => {
        this.#firstMs ??= machineMs();
      });
      for (const [from, to] of [
        [client, bridge],
        [bridge, client],
      ] as const) {
        from.pipe(to);
        from.on('error', () => to.destroy());
      }
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** When the first byte since the last call came; milliseconds of the machine's monotonic clock. */
  takeFirstMs(): number | undefined {
    const firstMs = this.#firstMs;
    this.#firstMs = undefined;
    return firstMs;
  }

  close(): void {
    this.#server.close();
  }
}
