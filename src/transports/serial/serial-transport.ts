import type { SerialPort } from 'serialport';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { ByteTransport } from '../byte-transport.ts';
import { Listeners } from '../listeners.ts';
import { TransportError } from '../transport-error.ts';
import { noticingHangUp } from './hang-up.ts';
import { portFault } from './port-fault.ts';

/**
 * A serial port, 8N1, opened exclusively (advisory lock) and without dropping DTR at close. The native package
 * is loaded at the first open, so that programs without a serial port start without it.
 */
export class SerialTransport implements ByteTransport {
  readonly address: string;
  readonly baud: number;
  readonly #path: string;
  readonly #bytes = new Listeners<Uint8Array>();
  readonly #closed = new Listeners<TransportError>();
  #port: SerialPort | undefined;

  constructor(options: { address: string; path: string; baud: number }) {
    this.address = options.address;
    this.#path = options.path;
    this.baud = options.baud;
  }

  get isOpen(): boolean {
    return this.#port?.isOpen === true;
  }

  async open(): Promise<void> {
    if (this.#port) return;
    const { SerialPort } = await import('serialport');
    const port = new SerialPort({
      binding: noticingHangUp(SerialPort.binding),
      path: this.#path,
      baudRate: this.baud,
      autoOpen: false,
      lock: true,
      hupcl: false,
    });
    await new Promise<void>((resolve, reject) => {
      port.open((fault) => (fault ? reject(portFault(this.address, this.#path, fault)) : resolve()));
    });
    this.#port = port;
    port.on('data', (bytes: Uint8Array) => {
      if (this.#port === port) this.#bytes.tell(bytes);
    });
    // Faults arrive by `close` and by the callback of the call that failed; this keeps a stray one from ending the process.
    port.on('error', () => {});
    port.on('close', (cause: Error | null) => {
      if (this.#port !== port) return;
      this.#port = undefined;
      this.#closed.tell(this.#gone(cause));
    });
  }

  async close(): Promise<void> {
    const port = this.#port;
    this.#port = undefined;
    if (!port?.isOpen) return;
    await new Promise<void>((resolve) => port.close(() => resolve()));
  }

  write(bytes: Uint8Array): Promise<void> {
    const port = this.#port;
    if (!port) return Promise.reject(this.#notOpen());
    return new Promise((resolve, reject) => {
      port.write(Buffer.from(bytes), (fault) => (fault ? reject(this.#gone(fault)) : resolve()));
    });
  }

  flushInput(): Promise<void> {
    const port = this.#port;
    if (!port?.isOpen) return Promise.reject(this.#notOpen());
    return new Promise((resolve, reject) => {
      port.flush((fault) => (fault ? reject(this.#gone(fault)) : resolve()));
    });
  }

  onBytes(listener: (bytes: Uint8Array) => void): () => void {
    return this.#bytes.add(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
  }

  #gone(cause: unknown): TransportError {
    const said = cause ? `: ${messageOf(cause)}` : '';
    return new TransportError('port_gone', this.address, `${this.#path} went away while open${said}`, {
      cause,
    });
  }

  #notOpen(): TransportError {
    return new TransportError('port_closed', this.address, `${this.#path} is not open`);
  }
}
