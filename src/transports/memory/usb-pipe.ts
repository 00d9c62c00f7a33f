import { Listeners } from '../listeners.ts';
import { TransportError } from '../transport-error.ts';
import type { ControlRequest, UsbControl, UsbIdentity } from '../usb/usb-control.ts';

/** The setup packet of a vendor request as a twin sees it; `length` is 0 for an OUT request. */
export interface Setup extends ControlRequest {
  /** 0x40 out, 0xC0 in. */
  requestType: number;
  length: number;
}

/** undefined is a STALL. */
export type SetupHandler = (setup: Setup) => Uint8Array | undefined;

/** A USB device inside the process: each control transfer is answered by `handle` at once. */
export class UsbPipe implements UsbControl {
  readonly address: string;
  readonly #identity: UsbIdentity;
  readonly #handle: SetupHandler;
  readonly #closed = new Listeners<TransportError>();
  #isOpen = false;
  #unplugged = false;
  /** Times it was opened. */
  opens = 0;

  constructor(options: { address?: string; identity: UsbIdentity; handle: SetupHandler }) {
    this.address = options.address ?? 'memory';
    this.#identity = options.identity;
    this.#handle = options.handle;
  }

  get identity(): UsbIdentity | undefined {
    return this.#isOpen ? this.#identity : undefined;
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

  async controlOut(request: ControlRequest): Promise<void> {
    this.#transfer({ requestType: 0x40, ...request, length: 0 });
  }

  async controlIn(request: ControlRequest, length: number): Promise<Uint8Array> {
    return this.#transfer({ requestType: 0xc0, ...request, length });
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
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

  #transfer(setup: Setup): Uint8Array {
    if (this.#unplugged) throw new TransportError('port_gone', this.address, `${this.address} was unplugged`);
    if (!this.#isOpen) throw new TransportError('port_closed', this.address, `${this.address} is not open`);
    const answer = this.#handle(setup);
    if (answer) return answer.slice(0, setup.length);
    const request = setup.request.toString(16).padStart(2, '0').toUpperCase();
    throw new TransportError('usb_stall', this.address, `${this.address} refused request ${request} (STALL)`);
  }
}
