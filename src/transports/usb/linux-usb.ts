import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { mayUse, permissionFault } from '../access-fault.ts';
import { Listeners } from '../listeners.ts';
import { portFault } from '../serial/port-fault.ts';
import { findUsb, type HostRoots, isStillPlugged, type UsbEntry } from '../sysfs/find-usb.ts';
import { usbStrings } from '../sysfs/usb-strings.ts';
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
  serial: string | null;
  claimed: boolean;
}

/**
 * Control transfers to a plugged USB device through the package `usb`. Endpoint 0 needs no interface, so none is claimed,
 * unless this build of the package wants one. Calls of the package never overlap: it refuses to close in a transfer.
 * sysfs says which device it is and whether it is still there: the package's own events end the process with an unhandled
 * rejection when its look-up fails.
 */
export class LinuxUsb implements UsbControl {
  readonly address: string;
  readonly #options: LinuxUsbOptions;
  readonly #closed = new Listeners<TransportError>();
  #opening: Promise<void> | undefined;
  #closing: Promise<unknown> | undefined;
  #opened: Opened | undefined;
  #cancelWatch = () => {};
  /** The end of the last call of the package. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LinuxUsbOptions) {
    this.address = options.address;
    this.#options = options;
  }

  get identity(): UsbIdentity | undefined {
    if (!this.#opened) return undefined;
    const { serial, entry } = this.#opened;
    const { vendorId, productId, bcdDevice, name } = entry;
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
    if (opened) this.#closing = this.#release(opened);
    await this.#closing;
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
    await this.#last;
    const { entry, serial } = await this.#find();
    if (existsSync(entry.node) && !mayUse(entry.node)) throw permissionFault(this.address, entry.node);
    const device = await this.#deviceOf(entry);
    try {
      await device.open();
    } catch (cause) {
      throw portFault(this.address, entry.node, cause);
    }
    this.#opened = { device, entry, serial, claimed: false };
    this.#watch();
  }

  async #find(): Promise<{ entry: UsbEntry; serial: string | null }> {
    const { vendorId, productId, serial: wanted, sys = '/sys' } = this.#options;
    if (!existsSync(join(sys, 'bus/usb'))) {
      const message = `this kernel shows no USB (${join(sys, 'bus/usb')} is missing), so ${this.address} cannot be reached; use a machine with USB, or bench:<socket path>`;
      throw new TransportError('driver_missing', this.address, message);
    }
    const { clock } = this.#options;
    const all = await Promise.all(
      findUsb(vendorId, productId, this.#options).map(async (entry) => {
        const { serial } = await usbStrings(entry.directory, { clock });
        return { entry, serial };
      }),
    );
    const found = wanted === undefined ? all[0] : all.find(({ serial }) => serial === wanted);
    if (found) return found;
    const which = wanted === undefined ? '' : ` with serial number ${wanted}`;
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

  /** One after the other, as endpoint 0 takes them. */
  #transfer<T>(request: ControlRequest, run: Run<T>): Promise<T> {
    const opened = this.#opened;
    if (!opened) return Promise.reject(this.#notOpen(''));
    const turn = this.#last.then(() => {
      if (this.#opened !== opened) throw this.#notOpen(` any more for ${requestName(request.request)}`);
      return this.#run(opened, request, run);
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #run<T>(opened: Opened, { request }: ControlRequest, run: Run<T>): Promise<T> {
    const { timeoutMs } = this.#options;
    try {
      return await this.#claimingIfWanted(opened, run);
    } catch (cause) {
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

  /** Some builds of the package send nothing, also to endpoint 0, before an interface is claimed: "invalid state". */
  async #claimingIfWanted<T>(opened: Opened, run: Run<T>): Promise<T> {
    const { timeoutMs } = this.#options;
    try {
      return await run(opened.device, timeoutMs);
    } catch (cause) {
      if (opened.claimed || !/invalid state/i.test(messageOf(cause))) throw cause;
      await opened.device.claimInterface(0);
      opened.claimed = true;
      return run(opened.device, timeoutMs);
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
      void this.#release(opened);
      this.#closed.tell(error);
    }
    return error;
  }

  /** After the transfer under way, which ends by its own time limit. */
  #release({ device }: Opened): Promise<unknown> {
    this.#last = this.#last.then(() => device.close()).catch(() => {});
    return this.#last;
  }

  #notOpen(what: string): TransportError {
    return new TransportError(
      'port_closed',
      this.address,
      `${this.address} is not open${what}; open it first`,
    );
  }
}

type Run<T> = (device: PackageDevice, timeoutMs: number) => Promise<T>;
