import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../lib/clock/clock.ts';
import { acquireLock, type Lock, type LockHolder } from '../../../lib/lock/lock.ts';
import { hidLockKey, serialLockKey } from '../../../lib/lock/lock-key.ts';
import { parseAddress } from '../../../transports/address.ts';

/** The locks of one service (services.md section 6), by key. */
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
export function isResolved(address: string): boolean {
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
