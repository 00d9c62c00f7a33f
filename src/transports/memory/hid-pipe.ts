import type { HidEndpoint, HidTransport } from '../hid/hid-transport.ts';
import { REPORT_BYTES } from '../hid/hid-transport.ts';
import { Listeners } from '../listeners.ts';
import { TransportError } from '../transport-error.ts';

/** A HID interface inside the process, with a twin's end. Reports that come while it is closed are lost. */
export class HidPipe implements HidTransport {
  readonly address: string;
  readonly #reports = new Listeners<Uint8Array>();
  readonly #closed = new Listeners<TransportError>();
  readonly #farEnd = new Listeners<Uint8Array>();
  #isOpen = false;
  #unplugged = false;
  /** Times it was opened. */
  opens = 0;

  constructor(options: { address?: string } = {}) {
    this.address = options.address ?? 'memory';
  }

  get endpoint(): HidEndpoint | undefined {
    return this.#isOpen ? { backend: 'memory', path: this.address, kernelDriver: null } : undefined;
  }

  async open(): Promise<void> {
    if (this.#unplugged)
      throw new TransportError('port_absent', this.address, `${this.address} is unplugged`);
    this.#isOpen = true;
    this.opens += 1;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  async write(report: Uint8Array): Promise<void> {
    if (!this.#isOpen) throw new TransportError('port_closed', this.address, `${this.address} is not open`);
    if (report.length !== REPORT_BYTES + 1)
      throw new RangeError(`an OUT report has ${REPORT_BYTES + 1} bytes, not ${report.length}`);
    const copy = report.slice(1);
    queueMicrotask(() => this.#farEnd.tell(copy));
  }

  onReport(listener: (report: Uint8Array) => void): () => void {
    return this.#reports.add(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
  }

  /** The twin's side: the 64 bytes of each OUT report. */
  onWritten(listener: (report: Uint8Array) => void): () => void {
    return this.#farEnd.add(listener);
  }

  /** The twin's side: one IN report. */
  send(report: Uint8Array): void {
    if (this.#isOpen) this.#reports.tell(Uint8Array.from(report));
  }

  unplug(): void {
    this.#unplugged = true;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#closed.tell(new TransportError('port_gone', this.address, `${this.address} was unplugged`));
  }

  plug(): void {
    this.#unplugged = false;
  }
}
