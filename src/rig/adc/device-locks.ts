import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import { acquireLock, type Lock, type LockHolder } from '../../lib/lock/lock.ts';
import { hidLockKey, serialLockKey } from '../../lib/lock/lock-key.ts';
import { parseAddress } from '../../transports/address.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import type { TransportError } from '../../transports/transport-error.ts';

/** The locks of one service, by key. */
export class DeviceLocks {
  readonly #identity: () => LockHolder;
  readonly #clock: Clock;
  readonly #held = new Map<string, Lock>();

  constructor(options: { identity: () => LockHolder; clock: Clock }) {
    this.#identity = options.identity;
    this.#clock = options.clock;
  }

  get keys(): string[] {
    return [...this.#held.keys()];
  }

  /** Takes it, unless this service has it. @throws LockHeldError, LockError */
  async take(key: string): Promise<void> {
    if (this.#held.has(key)) return;
    this.#held.set(key, await acquireLock({ key, identity: this.#identity, clock: this.#clock }));
  }

  async release(key: string): Promise<void> {
    const lock = this.#held.get(key);
    this.#held.delete(key);
    await lock?.release();
  }

  async releaseAll(): Promise<void> {
    for (const key of this.keys) await this.release(key);
  }
}

/** The lock of the ADC device behind an address as it leads there now: real paths change at a plug. */
export function adcLockKey(address: string): string {
  const parsed = parseAddress(address);
  switch (parsed.scheme) {
    case 'hid':
      return hidLockKey(parsed.vendorId, parsed.productId);
    case 'serial':
      return serialLockKey(parsed.path);
    case 'bench':
      // A twin's socket has no device number: its whole path is its name, also while the twin is unplugged.
      return `bench-${realSocket(parsed.path)}`;
    default:
      throw new TypeError(`${address} is not the address of an ADC`);
  }
}

/** Whether the address is a path that leads somewhere now. */
function isResolved(address: string): boolean {
  const parsed = parseAddress(address);
  return 'path' in parsed && existsSync(parsed.path);
}

function realSocket(path: string): string {
  try {
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

/**
 * A serial port that is opened only under the lock of its real path. The lock of a path that could not be resolved at
 * the start is kept beside it; that of a real path which the device has left is given back, for it soon belongs to
 * another device.
 */
export class LockedTransport implements ByteTransport {
  readonly #port: ByteTransport;
  readonly #locks: DeviceLocks;
  #realKey: string | undefined;

  constructor(port: ByteTransport, locks: DeviceLocks) {
    this.#port = port;
    this.#locks = locks;
  }

  get address(): string {
    return this.#port.address;
  }

  get baud(): number | undefined {
    return this.#port.baud;
  }

  get characterBits(): number | undefined {
    return this.#port.characterBits;
  }

  get isOpen(): boolean {
    return this.#port.isOpen;
  }

  /** Takes the lock without opening anything: at the start. @throws LockHeldError, LockError */
  async takeLock(): Promise<void> {
    const key = adcLockKey(this.address);
    const isReal = isResolved(this.address);
    await this.#locks.take(key);
    const before = this.#realKey;
    if (!isReal || before === key) return;
    this.#realKey = key;
    if (before !== undefined) await this.#locks.release(before);
  }

  /** @throws LockHeldError; TransportError as the port's own */
  async open(): Promise<void> {
    await this.takeLock();
    await this.#port.open();
  }

  close(): Promise<void> {
    return this.#port.close();
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#port.write(bytes);
  }

  flushInput(): Promise<void> {
    return this.#port.flushInput();
  }

  onBytes(listener: (bytes: Uint8Array) => void): () => void {
    return this.#port.onBytes(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#port.onClosed(listener);
  }
}
