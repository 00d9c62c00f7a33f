import type { Milliseconds } from '../quantity.ts';
import type { Clock } from './clock.ts';

/** Longest time that a timer of Node can wait, milliseconds (24 days); beyond it would fire at once. */
const LONGEST_MS = 2_147_483_647;

/**
 * A right that ends unless it is renewed: a lease, a manual hold, the hold of an actuator. It counts on the monotonic clock, so
 * that a clock correction neither ends nor lengthens it, and may begin again after its end. A timer notices the end; every
 * question checks it too, so that a late timer never lets an expired right through.
 */
export class Expiry {
  readonly #clock: Clock;
  readonly #onExpired: () => void;
  /** Monotonic, milliseconds; undefined while nothing runs. */
  #endsAt: number | undefined;
  #cancel = () => {};

  /** @param options.onExpired called once for each time that was neither renewed nor cleared before its end */
  constructor(options: { clock: Clock; onExpired: () => void }) {
    this.#clock = options.clock;
    this.#onExpired = options.onExpired;
  }

  /** Whether it runs. */
  get active(): boolean {
    this.#endIfOver();
    return this.#endsAt !== undefined;
  }

  /** Whole milliseconds to the end; null when it does not run. */
  get remainingMs(): number | null {
    this.#endIfOver();
    return this.#endsAt === undefined ? null : Math.round(this.#endsAt - this.#clock.monotonic());
  }

  /**
   * Begins, or lets what runs end later or earlier. A caller that renews for another one asks `active` first: what is over is not
   * to be brought back.
   *
   * @param ms milliseconds from now, above 0, at most 2147483647 (24 days)
   * @throws RangeError, and it stays as it was
   */
  renew(ms: Milliseconds): void {
    if (!(ms > 0 && ms <= LONGEST_MS))
      throw new RangeError(`a time of ${ms} ms is not within 0 to ${LONGEST_MS} ms`);
    this.#endsAt = this.#clock.monotonic() + ms;
    this.#arm(ms);
  }

  /** What runs ends after this time at the latest. @param ms as `renew`; 0 ends it at once, as if its time were over */
  shorten(ms: Milliseconds): void {
    if (this.#endsAt === undefined || this.#clock.monotonic() + ms >= this.#endsAt) return;
    if (ms !== 0) {
      this.renew(ms);
      return;
    }
    this.#endsAt = this.#clock.monotonic();
    this.#endIfOver();
  }

  /** It ends in another way; `onExpired` is not called. */
  clear(): void {
    this.#cancel();
    this.#endsAt = undefined;
  }

  #arm(ms: Milliseconds): void {
    this.#cancel();
    this.#cancel = this.#clock.after(ms, () => {
      this.#endIfOver();
      // A timer may fire a fraction of a millisecond early; then it is set again.
      if (this.#endsAt !== undefined) this.#arm(Math.max(1, this.#endsAt - this.#clock.monotonic()));
    });
  }

  #endIfOver(): void {
    if (this.#endsAt === undefined || this.#clock.monotonic() < this.#endsAt) return;
    this.clear();
    this.#onExpired();
  }
}
