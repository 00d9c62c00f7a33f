import type { Clock } from '../../lib/clock/clock.ts';
import type { Milliseconds } from '../../lib/quantity.ts';

/** A step that only came too late is made up for soon: something may still move. */
const FIRST_MS = 500;
const LAST_MS = 60_000;

/** Work that is tried again, slower each time, until it is called off. One work per key. */
export class Retries {
  readonly #clock: Clock;
  readonly #pending = new Map<string, { waitMs: Milliseconds; cancel: () => void }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  again(key: string, work: () => void): void {
    const before = this.#pending.get(key);
    before?.cancel();
    const waitMs = before ? Math.min(before.waitMs * 2, LAST_MS) : FIRST_MS;
    this.#pending.set(key, { waitMs, cancel: this.#clock.after(waitMs, work) });
  }

  /** It was done, or another process does it. */
  done(key: string): void {
    this.#pending.get(key)?.cancel();
    this.#pending.delete(key);
  }

  /** Nothing is left to be tried again. */
  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  clear(): void {
    for (const key of [...this.#pending.keys()]) this.done(key);
  }
}
