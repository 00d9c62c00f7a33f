import type { SerialPort } from 'serialport';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { ByteTransport } from '../byte-transport.ts';
import { Listeners } from '../listeners.ts';
import { TransportError } from '../transport-error.ts';
import { readAtOnce, writeAtOnce } from './at-once.ts';
import { ExclusivePort } from './exclusive-port.ts';
import { type LinuxPort, linuxPortOf, receiveFrom } from './hang-up.ts';
import { loadIoctl } from './ioctl.ts';
import { type LineErrors, lineErrors } from './line-errors.ts';
import { openFault } from './port-fault.ts';
import { refuseRealPort, refuseWrongPort } from './refuse-wrong-port.ts';
import { type Rs485, setRs485 } from './rs485.ts';
import { characterBits, type SerialFormat } from './serial-format.ts';

/** Filled and emptied in one go, so one serves all ports. */
const DRAINED = Buffer.allocUnsafe(4096);

/** Loads the native packages at their first use. One that is missing for ioctl(2) is reported where it is needed. */
export async function loadSerialPort(): Promise<typeof import('serialport')> {
  const [serialport] = await Promise.all([import('serialport'), loadIoctl().catch(() => {})]);
  return serialport;
}

export interface SerialTransportOptions extends Partial<SerialFormat> {
  address: string;
  path: string;
  baud: number;
  /** RS-485 mode of the kernel's driver; left as it is without. */
  rs485?: Rs485 | undefined;
  /** Default true; false is refused for anything but a pseudo-terminal. */
  isPaced?: boolean;
  /** Root of sysfs. */
  sys?: string;
}

/**
 * A serial port with one stop bit, opened exclusively: an advisory lock against a second owner of ours, and the kernel's
 * flag against programs that take no lock. DTR and RTS are never set and stay at close. The
 * native package is loaded at the first open, so that programs without a serial port start without it.
 */
export class SerialTransport implements ByteTransport {
  readonly address: string;
  readonly baud: number;
  readonly characterBits: number;
  readonly isPaced: boolean;
  readonly #path: string;
  readonly #format: SerialFormat;
  readonly #rs485: Rs485 | undefined;
  readonly #sys: string;
  readonly #bytes = new Listeners<Uint8Array>();
  readonly #closed = new Listeners<TransportError>();
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #port: SerialPort | undefined;
  #exclusive: ExclusivePort | undefined;

  constructor(options: SerialTransportOptions) {
    this.address = options.address;
    this.#path = options.path;
    this.baud = options.baud;
    this.isPaced = options.isPaced ?? true;
    this.#format = { parity: options.parity ?? 'none', dataBits: options.dataBits ?? 8 };
    this.characterBits = characterBits(this.#format);
    this.#rs485 = options.rs485;
    this.#sys = options.sys ?? '/sys';
  }

  get isOpen(): boolean {
    return this.#port?.isOpen === true;
  }

  async open(): Promise<void> {
    if (this.#port) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async #open(): Promise<void> {
    await this.#closing;
    refuseWrongPort(this.address, this.#path, this.#sys);
    if (!this.isPaced) refuseRealPort(this.address, this.#path);
    const { SerialPort } = await loadSerialPort();
    const port = new SerialPort({
      path: this.#path,
      baudRate: this.baud,
      ...this.#format,
      autoOpen: false,
      lock: true,
      hupcl: false,
    });
    // Faults arrive by `close` and by the callback of the call that failed; this keeps a stray one from ending the process.
    port.on('error', () => {});
    const fault = await new Promise<Error | null>((resolve) => port.open(resolve));
    if (fault) throw await openFault(this.address, this.#path, fault);
    const linuxPort = linuxPortOf(port.port);
    this.#exclusive = linuxPort && (await this.#setUp(port, linuxPort));
    this.#port = port;
    const receive = (bytes: Uint8Array) => {
      if (this.#port === port) this.#bytes.tell(bytes);
    };
    if (linuxPort) receiveFrom(linuxPort, receive, (cause) => port.close(() => {}, cause));
    else port.on('data', receive);
    port.on('close', (cause: Error | null) => {
      if (this.#port !== port) return;
      this.#port = undefined;
      this.#closed.tell(this.#gone(cause));
    });
  }

  /** What the kernel keeps of an open port. @throws TransportError; the port is closed then */
  async #setUp(port: SerialPort, linuxPort: LinuxPort): Promise<ExclusivePort> {
    const exclusive = new ExclusivePort({ path: this.#path, fd: () => linuxPort.fd });
    await exclusive.take();
    try {
      if (this.#rs485)
        await setRs485({ address: this.address, path: this.#path, fd: linuxPort.fd ?? -1 }, this.#rs485);
      return exclusive;
    } catch (fault) {
      exclusive.release();
      await new Promise<void>((resolve) => port.close(() => resolve()));
      throw fault;
    }
  }

  async warnings(): Promise<string[]> {
    const fault = this.isOpen ? await this.#exclusive?.fault() : undefined;
    return fault === undefined ? [] : [fault];
  }

  /** Undefined while the port is closed, and where its driver does not count. */
  async lineErrors(): Promise<LineErrors | undefined> {
    const fd = this.#port && linuxPortOf(this.#port.port)?.fd;
    return typeof fd === 'number' ? lineErrors(fd) : undefined;
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    const port = this.#port;
    this.#port = undefined;
    if (port?.isOpen) this.#exclusive?.release();
    this.#exclusive = undefined;
    if (port?.isOpen) this.#closing = new Promise<void>((resolve) => port.close(() => resolve()));
    // Also for a second caller: until then the system has the port open, and locked.
    await this.#closing;
  }

  write(bytes: Uint8Array): Promise<void> {
    const port = this.#port;
    if (!port) return Promise.reject(this.#notOpen());
    let rest = bytes;
    try {
      const fd = linuxPortOf(port.port)?.fd;
      // What the stream still holds goes first; else the kernel takes a frame at once.
      if (typeof fd === 'number' && port.writableLength === 0) rest = bytes.subarray(writeAtOnce(fd, bytes));
    } catch (fault) {
      return Promise.reject(this.#gone(fault));
    }
    if (rest.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      port.write(Buffer.from(rest), (fault) => (fault ? reject(this.#gone(fault)) : resolve()));
    });
  }

  /** What was received by now goes to the listeners before this resolves, so that nothing disappears unseen. */
  flushInput(): Promise<void> {
    const port = this.#port;
    if (!port?.isOpen) return Promise.reject(this.#notOpen());
    const fd = linuxPortOf(port.port)?.fd;
    if (typeof fd !== 'number') {
      return new Promise((resolve, reject) => {
        port.flush((fault) => (fault ? reject(this.#gone(fault)) : resolve()));
      });
    }
    try {
      for (;;) {
        const count = readAtOnce(fd, DRAINED);
        if (count === undefined) return Promise.resolve();
        if (count === 0) return Promise.reject(this.#gone('hung up'));
        this.#bytes.tell(Uint8Array.from(DRAINED.subarray(0, count)));
      }
    } catch (fault) {
      return Promise.reject(this.#gone(fault));
    }
  }

  onBytes(listener: (bytes: Uint8Array) => void): () => void {
    return this.#bytes.add(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
  }

  #gone(cause: unknown): TransportError {
    const said = cause ? `: ${messageOf(cause)}` : '';
    return new TransportError(
      'port_gone',
      this.address,
      `${this.#path} went away while open${said}; plug it in again`,
      {
        cause,
      },
    );
  }

  #notOpen(): TransportError {
    return new TransportError('port_closed', this.address, `${this.#path} is not open; open it first`);
  }
}
