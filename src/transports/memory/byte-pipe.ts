import type { ByteTransport } from '../byte-transport.ts';
import { Listeners } from '../listeners.ts';
import { TransportError } from '../transport-error.ts';

/**
 * A line inside the process, with a twin's end. Bytes that come while the port is closed are kept, as a
 * pseudo-terminal keeps them, and are handed over after the next open.
 */
export class BytePipe implements ByteTransport {
  readonly address: string;
  readonly baud: number | undefined;
  readonly isPaced: boolean;
  readonly #bytes = new Listeners<Uint8Array>();
  readonly #closed = new Listeners<TransportError>();
  readonly #farEnd = new Listeners<Uint8Array>();
  #kept: Uint8Array[] = [];
  #isOpen = false;
  #unplugged = false;
  /** Times the port was opened. */
  opens = 0;

  /** @param options.isPaced the twin at the other end keeps the times of `baud`. Default false */
  constructor(options: { address?: string; baud?: number; isPaced?: boolean } = {}) {
    this.address = options.address ?? 'memory';
    this.baud = options.baud;
    this.isPaced = options.isPaced ?? false;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async open(): Promise<void> {
    if (this.#unplugged)
      throw new TransportError('port_absent', this.address, `${this.address} is unplugged`);
    this.#isOpen = true;
    this.opens += 1;
    const kept = this.#kept.splice(0);
    queueMicrotask(() => {
      for (const bytes of kept) this.send(bytes);
    });
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#isOpen) throw this.#notOpen();
    const copy = Uint8Array.from(bytes);
    queueMicrotask(() => this.#farEnd.tell(copy));
  }

  async flushInput(): Promise<void> {
    if (!this.#isOpen) throw this.#notOpen();
  }

  onBytes(listener: (bytes: Uint8Array) => void): () => void {
    return this.#bytes.add(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
  }

  /** The twin's side: what the port writes. */
  onWritten(listener: (bytes: Uint8Array) => void): () => void {
    return this.#farEnd.add(listener);
  }

  /** The twin's side: bytes towards the port. */
  send(bytes: Uint8Array): void {
    if (this.#unplugged) return;
    if (this.#isOpen) this.#bytes.tell(bytes);
    else this.#kept.push(bytes);
  }

  unplug(): void {
    this.#unplugged = true;
    this.#kept = [];
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#closed.tell(new TransportError('port_gone', this.address, `${this.address} was unplugged`));
  }

  plug(): void {
    this.#unplugged = false;
  }

  #notOpen(): TransportError {
    return new TransportError('port_closed', this.address, `${this.address} is not open`);
  }
}
