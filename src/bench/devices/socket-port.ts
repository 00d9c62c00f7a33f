import type { Port, PortState } from './port.ts';

/** The server half of a socket: open is plugged in, closed is unplugged. */
interface Pluggable {
  open(): Promise<unknown>;
  close(): Promise<void>;
  /** Connected now. */
  readonly clients?: number;
}

/** A socket with a twin behind it, as a port that can be unplugged and plugged in. */
export class SocketPort implements Port {
  readonly #socket: Pluggable;
  readonly #address: () => string;
  #isOpen = false;
  #last: Promise<void> = Promise.resolve();

  constructor(socket: Pluggable, address: () => string) {
    this.#socket = socket;
    this.#address = address;
  }

  get address(): string {
    return this.#address();
  }

  get path(): string | null {
    return this.#isOpen ? this.#address().replace(/^bench:/, '') : null;
  }

  get clients(): number | null {
    return this.#socket.clients ?? null;
  }

  become({ plugged }: PortState): Promise<void> {
    const turn = this.#last.then(() => this.#become(plugged));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #become(plugged: boolean): Promise<void> {
    if (plugged === this.#isOpen) return;
    if (plugged) await this.#socket.open();
    else await this.#socket.close();
    this.#isOpen = plugged;
  }
}

/** A socket in the file system, whose clients open it as `bench:<path>`. */
export function benchSocketPort(socket: Pluggable & { readonly path: string }): SocketPort {
  return new SocketPort(socket, () => `bench:${socket.path}`);
}
