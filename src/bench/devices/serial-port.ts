import type { SerialSocket } from '../pty/serial-socket.ts';
import type { Port, Wish } from './port.ts';

/** A serial line as a port: a link to a pseudo-terminal. Its clients are known to the kernel only. */
export class SerialPort implements Port {
  readonly name: string;
  readonly clients = null;
  readonly #socket: SerialSocket;

  constructor(options: { name: string; socket: SerialSocket }) {
    this.name = options.name;
    this.#socket = options.socket;
  }

  get address(): string {
    return this.#socket.link;
  }

  get path(): string | null {
    return this.#socket.path ?? null;
  }

  want(wish: Wish): Promise<void> {
    return this.#socket.want(wish);
  }
}
