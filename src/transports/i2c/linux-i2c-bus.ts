import { existsSync } from 'node:fs';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { mayUse, permissionFault } from '../access-fault.ts';
import { portFault } from '../serial/port-fault.ts';
import { TransportError } from '../transport-error.ts';
import type { I2cBus } from './i2c-bus.ts';
import { denied, nack } from './i2c-fault.ts';

/** The part of the package `i2c-bus` that is used here. */
interface Handle {
  i2cRead(device: number, length: number, buffer: Buffer): Promise<{ bytesRead: number; buffer: Buffer }>;
  i2cWrite(device: number, length: number, buffer: Buffer): Promise<{ bytesWritten: number }>;
  close(): Promise<void>;
}

interface Package {
  openPromisified(bus: number): Promise<Handle>;
}

/** `/dev/i2c-<n>` through the optional package `i2c-bus`, loaded at the first transfer. */
export class LinuxI2cBus implements I2cBus {
  readonly address: string;
  readonly #path: string;
  #handle: Handle | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: { address: string; path: string }) {
    this.address = options.address;
    this.#path = options.path;
  }

  transfer(device: number, write: Uint8Array, readCount: number): Promise<Uint8Array> {
    const turn = this.#last.then(() => this.#transfer(device, write, readCount));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #transfer(device: number, write: Uint8Array, readCount: number): Promise<Uint8Array> {
    this.#handle ??= await this.#open();
    try {
      if (write.length > 0) await this.#handle.i2cWrite(device, write.length, Buffer.from(write));
      if (readCount === 0) return new Uint8Array();
      const { bytesRead, buffer } = await this.#handle.i2cRead(device, readCount, Buffer.alloc(readCount));
      if (bytesRead === readCount) return Uint8Array.from(buffer);
      const message = `${this.address} gave ${bytesRead} bytes where ${readCount} were asked for`;
      throw new TransportError('port_failed', this.address, message);
    } catch (cause) {
      const said = messageOf(cause);
      if (/ENXIO|EREMOTEIO/.test(said)) throw nack(this.address, device, cause);
      // Anything else may be the adapter: the next transfer opens it anew.
      await this.close().catch(() => {});
      if (cause instanceof TransportError) throw cause;
      if (/ENOENT/.test(said)) throw portFault(this.address, this.#path, cause);
      if (/EACCES|EPERM/.test(said)) throw denied(this.address, cause);
      const code = /ETIMEDOUT/.test(said) ? 'i2c_timeout' : 'port_failed';
      throw new TransportError(code, this.address, `transfer on ${this.address} failed: ${said}`, { cause });
    }
  }

  async #open(): Promise<Handle> {
    const bus = Number(/(\d+)$/.exec(this.#path)?.[1]);
    // Before the package: a bus that is not there or not ours is told as such, whatever can be loaded.
    if (!existsSync(this.#path)) throw portFault(this.address, this.#path, new Error('ENOENT: no such file'));
    if (!mayUse(this.#path)) throw permissionFault(this.address, this.#path);
    try {
      const loaded = (await import('i2c-bus')) as unknown as { default: Package };
      return await loaded.default.openPromisified(bus);
    } catch (cause) {
      if (/ENOENT|EACCES|EPERM/.test(messageOf(cause))) throw portFault(this.address, this.#path, cause);
      const message = `cannot use ${this.#path}: ${messageOf(cause)}; compile i2c-bus (npm rebuild i2c-bus --ignore-scripts=false)`;
      throw new TransportError('driver_missing', this.address, message, { cause });
    }
  }
}
