import type { Clock } from '../../../lib/clock/clock.ts';

/** The host asks for one report per millisecond. */
const POLL_MS = 1;

/** The IN endpoint: reports leave in order, one per poll, none before its time. */
export class InEndpoint {
  readonly #clock: Clock;
  readonly #timers = new Set<() => void>();
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param waitMs from now until the report is ready */
  post(waitMs: number, leave: () => void): void {
    const now = this.#clock.monotonic();
    const at = Math.max(now + waitMs, this.#lastAt + POLL_MS);
    this.#lastAt = at;
    if (at <= now) {
      leave();
      return;
    }
    const cancel = this.#clock.after(at - now, () => {
      this.#timers.delete(cancel);
      leave();
    });
    this.#timers.add(cancel);
  }

  /** Forgets the reports that have not left. */
  clear(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }
}
