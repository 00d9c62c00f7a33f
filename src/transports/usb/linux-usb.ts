import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { mayUse, permissionFault } from '../access-fault.ts';
import { Listeners } from '../listeners.ts';
import { portFault } from '../serial/port-fault.ts';
import { findUsb, type HostRoots, isStillPlugged, type UsbEntry } from '../sysfs/find-usb.ts';
import { TransportError } from '../transport-error.ts';
import type { ControlRequest, UsbControl, UsbIdentity } from './usb-control.ts';
import { requestName, stalled, timedOut } from './usb-fault.ts';
import { loadUsb, type PackageDevice, type UsbPackage } from './usb-package.ts';

/** How often an open device is looked for: a plug that is pulled between transfers is noticed after that. */
const WATCH_MS = 500;

export interface LinuxUsbOptions extends HostRoots {
  address: string;
  vendorId: number;
  productId: number;
  /** Only the device with this serial string; without it the first by bus and port. */
  serial?: string;
  clock: Clock;
  timeoutMs: number;
  load?: () => Promise<UsbPackage>;
}

interface Opened {
  device: PackageDevice;
  entry: UsbEntry;
}

/**
 * Control transfers to a plugged USB device through the package `usb`. Endpoint 0 needs no interface, so none is claimed.
 * sysfs says which device it is and whether it is still there: the package's own events end the process with an unhandled
 * rejection when its look-up fails.
 */
export class LinuxUsb implements UsbControl {
  readonly address: string;
  readonly #options: LinuxUsbOptions;
  readonly #closed = new Listeners<TransportError>();
  #opening: Promise<void> | undefined;
  #opened: Opened | undefined;
  #cancelWatch = () => {};

  constructor(options: LinuxUsbOptions) {
    this.address = options.address;
    this.#options = options;
  }

  get identity(): UsbIdentity | undefined {
    const entry = this.#opened?.entry;
    if (!entry) return undefined;
    const { vendorId, productId, serial, bcdDevice, name } = entry;
    return { vendorId, productId, serial, bcdDevice, path: name };
  }

  async open(): Promise<void> {
    if (this.#opened) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    this.#cancelWatch();
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.device.close().catch(() => {});
  }

  async controlOut(request: ControlRequest): Promise<void> {
    const setup = { requestType: 'vendor', recipient: 'device', ...request } as const;
    const sent = await this.#transfer(request, (device, timeoutMs) =>
      device.nativeControlTransferOut(setup, timeoutMs, new Uint8Array()),
    );
    if (sent < 0) throw stalled(this.address, request.request);
  }

  async controlIn(request: ControlRequest, length: number): Promise<Uint8Array> {
    const setup = { requestType: 'vendor', recipient: 'device', ...request } as const;
    const data = await this.#transfer(request, (device, timeoutMs) =>
      device.nativeControlTransferIn(setup, timeoutMs, length),
    );
    if (!data) throw stalled(this.address, request.request);
    return Uint8Array.from(data);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
  }

  async #open(): Promise<void> {
    const entry = this.#find();
    if (existsSync(entry.node) && !mayUse(entry.node)) throw permissionFault(this.address, entry.node);
    const device = await this.#deviceOf(entry);
    try {
      await device.open();
    } catch (cause) {
      throw portFault(this.address, entry.node, cause);
    }
    this.#opened = { device, entry };
    this.#watch();
  }

  #find(): UsbEntry {
    const { vendorId, productId, serial, sys = '/sys' } = this.#options;
    if (!existsSync(join(sys, 'bus/usb'))) {
      const message = `this kernel shows no USB (${join(sys, 'bus/usb')} is missing), so ${this.address} cannot be reached; use a machine with USB, or bench:<socket path>`;
      throw new TransportError('driver_missing', this.address, message);
    }
    const all = findUsb(vendorId, productId, this.#options);
    const entry = serial === undefined ? all[0] : all.find((one) => one.serial === serial);
    if (entry) return entry;
    const which = serial === undefined ? '' : ` with serial number ${serial}`;
    const others = all.length > 0 ? `; plugged in: ${all.map((one) => one.serial ?? 'none').join(', ')}` : '';
    const message = `no USB device ${this.address}${which} is plugged in${others}; plug it in, or check lsusb and the cable`;
    throw new TransportError('port_absent', this.address, message);
  }

  async #deviceOf(entry: UsbEntry): Promise<PackageDevice> {
    let devices: PackageDevice[];
    try {
      const { usb } = await (this.#options.load ?? loadUsb)();
      devices = await usb.getDevices();
    } catch (cause) {
      const message = `the package usb cannot be used for ${this.address}: ${messageOf(cause)}; install the project again on this machine`;
      throw new TransportError('driver_missing', this.address, message, { cause });
    }
    const ports = entry.name.slice(entry.name.indexOf('-') + 1);
    const device = devices.find((one) => one.address === entry.deviceNumber && one.ports.join('.') === ports);
    if (device) return device;
    const message = `${this.address} (${entry.name}) went away while it was looked for; plug it in again`;
    throw new TransportError('port_absent', this.address, message);
  }

  async #transfer<T>(
    { request }: ControlRequest,
    run: (device: PackageDevice, timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    const opened = this.#opened;
    if (!opened)
      throw new TransportError('port_closed', this.address, `${this.address} is not open; open it first`);
    const { timeoutMs } = this.#options;
    try {
      return await run(opened.device, timeoutMs);
    } catch (cause) {
      if (this.#opened !== opened) {
        const message = `${this.address} was closed during ${requestName(request)}`;
        throw new TransportError('port_closed', this.address, message, { cause });
      }
      const said = messageOf(cause);
      if (/stall/i.test(said)) throw stalled(this.address, request, cause);
      if (/disconnected|no such device|errno 19\b/i.test(said) || !isStillPlugged(opened.entry))
        throw this.#lost(opened, cause);
      if (/cancelled|timed out/i.test(said))
        throw timedOut(this.address, requestName(request), timeoutMs, cause);
      const message = `${requestName(request)} to ${this.address} failed: ${said}; check cable, hub and supply`;
      throw new TransportError('port_failed', this.address, message, { cause });
    }
  }

  #watch(): void {
    this.#cancelWatch = this.#options.clock.after(WATCH_MS, () => {
      const opened = this.#opened;
      if (!opened) return;
      if (isStillPlugged(opened.entry)) this.#watch();
      else this.#lost(opened);
    });
  }

  #lost(opened: Opened, cause?: unknown): TransportError {
    const why = cause === undefined ? '' : `: ${messageOf(cause)}`;
    const message = `${this.address} (${opened.entry.name}) was unplugged${why}; plug it in again`;
    const error = new TransportError('port_gone', this.address, message, { cause });
    if (this.#opened === opened) {
      this.#cancelWatch();
      this.#opened = undefined;
      opened.device.close().catch(() => {});
      this.#closed.tell(error);
    }
    return error;
  }
}
