import { existsSync } from 'node:fs';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { mayUse, permissionFault } from '../access-fault.ts';
import { portFault } from '../serial/port-fault.ts';
import { isBeingSetUp } from '../sysfs/i2c-adapter.ts';
import { type TransportCode, TransportError } from '../transport-error.ts';
import type { I2cBus } from './i2c-bus.ts';
import { denied, nack } from './i2c-fault.ts';
import { TransferTurns } from './transfer-turns.ts';

/** The part of the package `i2c-bus` that is used here. */
export interface I2cHandle {
  i2cRead(device: number, length: number, buffer: Buffer): Promise<{ bytesRead: number; buffer: Buffer }>;
  i2cWrite(device: number, length: number, buffer: Buffer): Promise<{ bytesWritten: number }>;
  close(): Promise<void>;
}

export interface I2cPackage {
  openPromisified(bus: number): Promise<I2cHandle>;
}

/**
 * An adapter that was unplugged stays in the kernel until it is closed everywhere, and holds up every other device of its USB
 * controller: a bus that is not used is closed.
 */
const CLOSED_WHEN_IDLE_MS = 200;

/** `/dev/i2c-<n>` through the optional package `i2c-bus`, loaded at the first transfer. */
export class LinuxI2cBus implements I2cBus {
  readonly address: string;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #load: () => Promise<I2cPackage>;
  readonly #turns = new TransferTurns();
  #handle: I2cHandle | undefined;
  #inTransfer: I2cHandle | undefined;
  #cancelClose = () => {};

  /** @param options.load the package, in tests another */
  constructor(options: { address: string; path: string; clock: Clock; load?: () => Promise<I2cPackage> }) {
    this.address = options.address;
    this.#path = options.path;
    this.#clock = options.clock;
    this.#load = options.load ?? loadPackage;
  }

  transfer(device: number, write: Uint8Array, readCount: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#turns.run(() => this.#transfer(device, write, readCount), signal);
  }

  async close(): Promise<void> {
    this.#cancelClose();
    const handle = this.#handle;
    this.#handle = undefined;
    // Under a transfer its end closes it: the number of a closed file is soon that of another file.
    if (handle !== this.#inTransfer) await handle?.close();
  }

  async #transfer(device: number, write: Uint8Array, readCount: number): Promise<Uint8Array> {
    this.#cancelClose();
    this.#handle ??= await this.#open();
    const handle = this.#handle;
    this.#inTransfer = handle;
    try {
      if (write.length > 0) await handle.i2cWrite(device, write.length, Buffer.from(write));
      if (readCount === 0) return new Uint8Array();
      const { bytesRead, buffer } = await handle.i2cRead(device, readCount, Buffer.alloc(readCount));
      if (bytesRead === readCount) return Uint8Array.from(buffer);
      const message = `${this.address} gave ${bytesRead} bytes where ${readCount} were asked for`;
      throw new TransportError('port_failed', this.address, message);
    } catch (cause) {
      const said = messageOf(cause);
      if (/ENXIO|EREMOTEIO/.test(said)) throw nack(this.address, device, cause);
      // Anything else may be the adapter: the next transfer opens it anew.
      this.#handle = undefined;
      if (cause instanceof TransportError) throw cause;
      if (/ENOENT/.test(said)) throw portFault(this.address, this.#path, cause);
      if (/EACCES|EPERM/.test(said)) throw denied(this.address, cause);
      const remedy = 'check SDA, SCL and supply; plug a USB adapter out and in';
      const message = `a transfer on ${this.address} failed (${said}); ${remedy}`;
      throw new TransportError(codeOf(said), this.address, message, { cause });
    } finally {
      this.#inTransfer = undefined;
      if (this.#handle === handle)
        this.#cancelClose = this.#clock.after(CLOSED_WHEN_IDLE_MS, () => void this.close().catch(() => {}));
      else await handle.close().catch(() => {});
    }
  }

  async #open(): Promise<I2cHandle> {
    const bus = Number(/(\d+)$/.exec(this.#path)?.[1]);
    // Before the package: a bus that is absent or not ours is reported as such, whatever can be loaded.
    if (!existsSync(this.#path)) throw portFault(this.address, this.#path, new Error('ENOENT: no such file'));
    if (isBeingSetUp(this.#path))
      throw new TransportError(
        'port_absent',
        this.address,
        `the kernel is still setting up ${this.#path}; it can be used in half a minute at most`,
      );
    if (!mayUse(this.#path)) throw permissionFault(this.address, this.#path);
    try {
      return await (await this.#load()).openPromisified(bus);
    } catch (cause) {
      if (/ENOENT|EACCES|EPERM/.test(messageOf(cause))) throw portFault(this.address, this.#path, cause);
      const message = `cannot use ${this.#path}: ${messageOf(cause)}; compile i2c-bus (npm rebuild i2c-bus --ignore-scripts=false)`;
      throw new TransportError('driver_missing', this.address, message, { cause });
    }
  }
}

function codeOf(said: string): TransportCode {
  if (/ETIMEDOUT/.test(said)) return 'i2c_timeout';
  return /ENODEV|ESHUTDOWN/.test(said) ? 'port_gone' : 'port_failed';
}

async function loadPackage(): Promise<I2cPackage> {
  const loaded = (await import('i2c-bus')) as unknown as { default: I2cPackage };
  return loaded.default;
}
