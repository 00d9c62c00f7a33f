import { constants, existsSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { permissionFault } from '../access-fault.ts';
import { findHid } from '../sysfs/find-hid.ts';
import { type HostRoots, isStillPlugged, type UsbEntry } from '../sysfs/find-usb.ts';
import { usbStrings } from '../sysfs/usb-strings.ts';
import { TransportError } from '../transport-error.ts';

export type IioChannel = 0 | 1 | 2;

export interface IioVoltagesOptions extends HostRoots {
  /** For example `hid:04d8:00dd`; names the place in errors. */
  address: string;
  vendorId: number;
  productId: number;
}

const CHANNELS: readonly IioChannel[] = [0, 1, 2];

/**
 * Why the words of an IIO device cannot be assigned to pins; undefined when they can. hid_mcp2221 numbers the pins that
 * are flashed as ADC inputs in order (mcp_iio_channels in hid-mcp2221.c), so that 0 is GP1 only when all three are.
 */
export function unassignable(path: string): string | undefined {
  const missing = CHANNELS.map(attribute).filter((name) => !existsSync(join(path, name)));
  if (missing.length === 0) return undefined;
  return `${path} has no ${missing.join(' and no ')}, so it is not known which word is which pin; flash GP1, GP2 and GP3 as ADC inputs`;
}

const attribute = (channel: IioChannel) => `in_voltage${channel}_raw`;

/**
 * The raw ADC words that a kernel driver shows of a USB device (`in_voltageN_raw`), read-only. The device is looked for
 * at each opening, since its number changes at a plug.
 */
export class IioVoltages {
  readonly address: string;
  readonly #options: IioVoltagesOptions;
  #path: string | undefined;
  #usb: UsbEntry | undefined;

  constructor(options: IioVoltagesOptions) {
    this.address = options.address;
    this.#options = options;
  }

  /** For example `/sys/bus/iio/devices/iio:device0`; empty while closed. */
  get path(): string {
    return this.#path ?? '';
  }

  /** @throws TransportError `port_absent`, `port_permission`, `port_failed` when not all three channels are there */
  async open(): Promise<void> {
    const { vendorId, productId } = this.#options;
    const found = findHid(vendorId, productId, this.#options).find(({ iio }) => iio !== null);
    const path = found?.iio;
    if (!path) {
      const message = `no IIO device of ${this.address}; plug it in, load hid_mcp2221 and flash its pins as ADC inputs`;
      throw new TransportError('port_absent', this.address, message);
    }
    try {
      await access(path, constants.R_OK | constants.X_OK);
    } catch (cause) {
      throw this.#fault(path, cause);
    }
    const fault = unassignable(path);
    if (fault !== undefined) throw new TransportError('port_failed', this.address, fault);
    this.#path = path;
    this.#usb = found.usb;
  }

  async close(): Promise<void> {
    this.#path = undefined;
    this.#usb = undefined;
  }

  /** iSerial of the open device; null when it shows none. */
  async usbSerial(): Promise<string | null> {
    return this.#usb === undefined ? null : (await usbStrings(this.#usb.directory)).serial;
  }

  /**
   * One raw word as the kernel has it; whether it is in range is the driver's to judge.
   *
   * @param channel number in the name of the attribute: 0, 1, 2 are GP1, GP2, GP3
   * @throws TransportError `port_closed`, `port_gone`, `port_permission`, `port_failed` when the text is not a whole number
   */
  async read(channel: IioChannel): Promise<number> {
    if (this.#path === undefined || this.#usb === undefined)
      throw new TransportError('port_closed', this.address, `${this.address} is not open; open it first`);
    // A device that was plugged in meanwhile may have the same path.
    if (!isStillPlugged(this.#usb)) throw this.#gone(`${this.#path} belongs to a device that was unplugged`);
    const file = join(this.#path, attribute(channel));
    let text: string;
    try {
      text = (await readFile(file, 'utf8')).trim();
    } catch (cause) {
      throw this.#fault(file, cause);
    }
    if (/^\d{1,9}$/.test(text)) return Number(text);
    const message = `${file} holds ${JSON.stringify(text.slice(0, 40))} where a whole number is wanted; unplug the device and plug it in again`;
    throw new TransportError('port_failed', this.address, message);
  }

  #fault(path: string, cause: unknown): TransportError {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (code === 'EACCES' || code === 'EPERM') return permissionFault(this.address, path, cause);
    const what = `cannot read ${path}: ${reasonOf(cause)}`;
    if (['ENOENT', 'ENODEV', 'ENXIO'].includes(code)) return this.#gone(what, cause);
    const message = `${what}; plug the device in again`;
    return new TransportError('port_failed', this.address, message, { cause });
  }

  #gone(what: string, cause?: unknown): TransportError {
    return new TransportError('port_gone', this.address, `${what}; plug the device in again`, { cause });
  }
}
