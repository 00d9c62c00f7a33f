import type { Port, Wish } from './port.ts';

/** The server half of a socket: open is plugged in, closed is pulled out. */
interface Pluggable {
  open(): Promise<unknown>;
  close(): Promise<void>;
  /** Connected now. */
  readonly clients?: number;
}

/** A socket with a twin behind it, as a port that can be pulled out and plugged in. */
export class SocketPort implements Port {
  readonly name: string;
  readonly #socket: Pluggable;
  readonly #address: () => string;
  readonly #path: () => string;
  #isOpen = false;
  #last: Promise<void> = Promise.resolve();

  /** @param options.path where it lies while it is plugged in; the address without it */
  constructor(options: { name: string; socket: Pluggable; address: () => string; path?: () => string }) {
    this.name = options.name;
    this.#socket = options.socket;
    this.#address = options.address;
    this.#path = options.path ?? options.address;
  }

  get address(): string {
    return this.#address();
  }

  get path(): string | null {
    return this.#isOpen ? this.#path() : null;
  }

  get clients(): number | null {
    return this.#socket.clients ?? null;
  }

  want({ plugged }: Wish): Promise<void> {
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
