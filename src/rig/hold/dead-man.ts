import type { Clock } from '../../lib/clock/clock.ts';

/** What a timer of Node can wait, in seconds; beyond it would fire at once. */
const LONGEST_S = 2_147_483;

/**
 * A dead-man: what it guards ends unless somebody goes on renewing it (services specification, sections 8 and 9). It
 * counts on the monotonic clock and may be used again after its end.
 */
export class DeadMan {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #endsAt: number | undefined;
  #cancel = () => {};

  /** @param options.onEnd called once for each hold that was neither renewed nor cleared in time */
  constructor(options: { clock: Clock; onEnd: () => void }) {
    this.#clock = options.clock;
    this.#onEnd = options.onEnd;
  }

  /** Whether a hold runs. One that is over and only not noticed yet runs no more. */
  get active(): boolean {
    return this.#endsAt !== undefined && this.#endsAt > this.#clock.monotonic();
  }

  /** Seconds to the end; null when no hold runs. */
  get remainingS(): number | null {
    if (this.#endsAt === undefined || !this.active) return null;
    return (this.#endsAt - this.#clock.monotonic()) / 1000;
  }

  /**
   * Begins a hold, or lets the running one end later or earlier. Whoever renews for somebody else asks `active` first:
   * a hold that is over is not to be brought back.
   *
   * @param holdS seconds from now, above 0, at most 2147483 (24 days)
   * @throws RangeError, and the hold stays as it was
   */
  renew(holdS: number): void {
    if (!(holdS > 0 && holdS <= LONGEST_S))
      throw new RangeError(`a hold of ${holdS} s is not within 0 to ${LONGEST_S} s`);
    this.#cancel();
    this.#endsAt = this.#clock.monotonic() + holdS * 1000;
    this.#cancel = this.#clock.after(holdS * 1000, () => {
      this.#endsAt = undefined;
      this.#onEnd();
    });
  }

  /** What it guarded has ended in another way. */
  clear(): void {
    this.#cancel();
    this.#endsAt = undefined;
  }
}
