import type { SerialSocket } from '../pty/serial-socket.ts';
import type { Port, PortState } from './port.ts';

/** A serial line with one device as a port: a link to a pseudo-terminal. Its clients are known to the kernel only. */
export class SerialPort implements Port {
  readonly clients = null;
  readonly #socket: SerialSocket;

  constructor(socket: SerialSocket) {
    this.#socket = socket;
  }

  get address(): string {
    return this.#socket.link;
  }

  get path(): string | null {
    return this.#socket.path ?? null;
  }

  become(state: PortState): Promise<void> {
    return this.#socket.want(state);
  }
}
