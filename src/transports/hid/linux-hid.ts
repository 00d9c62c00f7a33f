import type { HIDAsync } from 'node-hid';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { lockNode, type NodeLock } from '../flock.ts';
import { Listeners } from '../listeners.ts';
import { portFault } from '../serial/port-fault.ts';
import type { HostRoots } from '../sysfs/find-usb.ts';
import { TransportError } from '../transport-error.ts';
import { checkedOutReport, type HidEndpoint, type HidTransport } from './hid-transport.ts';
import { type HidDriver, type HidPackage, loadNodeHid } from './node-hid.ts';
import { startReading } from './read-pump.ts';
import { nextHid, type PassedOver, selectBackend } from './select-backend.ts';

export interface LinuxHidOptions extends HostRoots {
  address: string;
  vendorId: number;
  productId: number;
  backend: 'auto' | HidDriver;
  load?: (driver: HidDriver) => Promise<HidPackage>;
}

interface Opened {
  hid: HIDAsync;
  endpoint: HidEndpoint;
  passedOver: PassedOver[];
  lock: NodeLock | undefined;
}

/**
 * The HID interface of a plugged USB device through node-hid. The backend is chosen anew at each opening. hidapi's
 * libusb half detaches the kernel driver when it opens and attaches it again when it closes (hid.c of hidapi 0.15).
 */
export class LinuxHid implements HidTransport {
  readonly address: string;
  readonly #options: LinuxHidOptions;
  readonly #reports = new Listeners<Uint8Array>();
  readonly #closed = new Listeners<TransportError>();
  #opening: Promise<void> | undefined;
  #opened: Opened | undefined;
  /** The end of the last handle: the next one is opened after it, for both are the same interface. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(options: LinuxHidOptions) {
    this.address = options.address;
    this.#options = options;
  }

  get endpoint(): HidEndpoint | undefined {
    return this.#opened?.endpoint;
  }

  /** Backends that were not taken at this opening, and why; empty while closed. */
  get passedOver(): readonly PassedOver[] {
    return this.#opened?.passedOver ?? [];
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
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened) this.#letGo(opened);
    await this.#closing;
  }

  async openOther(tried: ReadonlySet<string>): Promise<boolean> {
    if (!nextHid(this.#options, tried, this.#options)) return false;
    await this.close();
    this.#opening = this.#open(tried).finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
    return true;
  }

  async write(report: Uint8Array): Promise<void> {
    const bytes = Buffer.from(checkedOutReport(report));
    const opened = this.#opened;
    if (!opened) {
      const message = `${this.address} is not open; open it first`;
      throw new TransportError('port_closed', this.address, message);
    }
    let written: number;
    try {
      written = await opened.hid.write(bytes);
    } catch (cause) {
      throw this.#gone(opened, cause);
    }
    if (written === bytes.length) return;
    throw this.#gone(opened, `took ${written} of ${bytes.length} bytes of an OUT report`);
  }

  onReport(listener: (report: Uint8Array) => void): () => void {
    return this.#reports.add(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
  }

  async #open(tried: ReadonlySet<string> = new Set()): Promise<void> {
    await this.#closing;
    const { address, backend: wanted, load = loadNodeHid } = this.#options;
    const backends: HidDriver[] = wanted === 'auto' ? ['hidraw', 'libusb'] : [wanted];
    const { backend, candidate, passedOver } = await selectBackend(address, this.#options, {
      ...this.#options,
      backends,
      tried,
    });
    const driver: HidDriver = backend === 'libusb' ? 'libusb' : 'hidraw';
    const path = (driver === 'hidraw' ? candidate.hidraw : null) ?? candidate.interfaceName;
    const { HIDAsync } = await load(driver);
    const lock = await this.#locked((driver === 'hidraw' ? candidate.hidraw : null) ?? candidate.usb.node);
    let hid: HIDAsync;
    try {
      hid = await HIDAsync.open(path);
    } catch (cause) {
      lock?.release();
      throw portFault(address, path, cause);
    }
    const endpoint: HidEndpoint = { backend: driver, path, kernelDriver: candidate.kernelDriver };
    const opened = { hid, endpoint, passedOver, lock };
    let early: { fault: unknown } | undefined;
    await startReading(
      hid,
      (report) => {
        if (this.#opened === opened) this.#reports.tell(report);
      },
      (fault) => {
        early ??= { fault };
        this.#lost(opened, fault);
      },
    );
    if (early) {
      this.#letGo(opened);
      throw this.#gone(opened, early.fault);
    }
    this.#opened = opened;
  }

  /** Held from the opening to the end of the handle. @throws TransportError `port_busy` */
  async #locked(node: string): Promise<NodeLock | undefined> {
    const lock = await lockNode(node);
    if (lock !== 'held') return lock;
    const message = `${node} of ${this.address} is locked by another program (flock), perhaps in another container; stop it (lslocks)`;
    throw new TransportError('port_busy', this.address, message);
  }

  /** Reading failed: with HID that is the end of the handle. */
  #lost(opened: Opened, cause: unknown): void {
    if (this.#opened !== opened) return;
    this.#opened = undefined;
    this.#letGo(opened);
    this.#closed.tell(this.#gone(opened, cause));
  }

  #letGo({ hid, lock }: Opened): void {
    this.#closing = hid
      .close()
      .catch(() => {})
      .then(() => lock?.release());
  }

  #gone({ endpoint }: Opened, cause: unknown): TransportError {
    const message = `${endpoint.path} (${endpoint.backend}) of ${this.address} went away: ${messageOf(cause)}; plug the device in again`;
    return new TransportError('port_gone', this.address, message, { cause });
  }
}
