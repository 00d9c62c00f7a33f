import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { permissionFault } from '../access-fault.ts';
import { findHid } from '../sysfs/find-hid.ts';
import type { HostRoots } from '../sysfs/find-usb.ts';
import { TransportError } from '../transport-error.ts';

export type IioChannel = 0 | 1 | 2;

export interface IioVoltagesOptions extends HostRoots {
  /** For example `hid:04d8:00dd`; names the place in errors. */
  address: string;
  vendorId: number;
  productId: number;
}

/**
 * The raw ADC words that a kernel driver shows of a USB device (`in_voltageN_raw`), read-only. The device is looked for
 * at each opening, since its number changes at a plug.
 */
export class IioVoltages {
  readonly address: string;
  readonly #options: IioVoltagesOptions;
  #path: string | undefined;

  constructor(options: IioVoltagesOptions) {
    this.address = options.address;
    this.#options = options;
  }

  /** For example `/sys/bus/iio/devices/iio:device0`; empty while closed. */
  get path(): string {
    return this.#path ?? '';
  }

  /** @throws TransportError `port_absent`, `port_permission` */
  async open(): Promise<void> {
    const { vendorId, productId } = this.#options;
    const path = findHid(vendorId, productId, this.#options).find(({ iio }) => iio !== null)?.iio;
    if (!path) {
      const message = `no IIO device of ${this.address}; plug it in, load hid_mcp2221 and flash its pins as ADC inputs`;
      throw new TransportError('port_absent', this.address, message);
    }
    this.#path = path;
    try {
      await access(path, constants.R_OK | constants.X_OK);
    } catch (cause) {
      this.#path = undefined;
      throw this.#fault(path, cause);
    }
  }

  async close(): Promise<void> {
    this.#path = undefined;
  }

  /**
   * One raw word as the kernel has it; whether it is in range is the driver's to judge.
   *
   * @param channel number in the name of the attribute: 0 is the device's first ADC
   * @throws TransportError `port_closed`, `port_gone`, `port_permission`, `port_failed` when the text is no whole number
   */
  async read(channel: IioChannel): Promise<number> {
    if (this.#path === undefined)
      throw new TransportError('port_closed', this.address, `${this.address} is not open; open it first`);
    const file = join(this.#path, `in_voltage${channel}_raw`);
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
    // A missing attribute may also be a pin that is not an ADC input: the kernel then makes none for it.
    const isGone = ['ENOENT', 'ENODEV', 'ENXIO'].includes(code);
    const remedy = isGone ? 'plug the device in again and flash its pins as ADC inputs' : 'plug it in again';
    const message = `cannot read ${path}: ${messageOf(cause)}; ${remedy}`;
    return new TransportError(isGone ? 'port_gone' : 'port_failed', this.address, message, { cause });
  }
}
