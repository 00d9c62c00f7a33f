import type { Clock } from '../../lib/clock/clock.ts';
import type { Milliseconds } from '../../lib/quantity.ts';

/** No action is late by more. */
const MOST_LATE_MS = 10;

interface JointTimer {
  readonly actions: Set<() => Promise<void>>;
  readonly cancel: () => void;
}

/**
 * Timers of what repeats at a fixed rate. Those that fall into the same half of their interval, at most 10 ms, fire together
 * at its end, so that what they start can be asked for together. Each is late by the same time whenever it comes again.
 */
export class JointTimers {
  readonly #clock: Clock;
  /** By the moment at which they fire. */
  readonly #timers = new Map<number, JointTimer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param moment of the monotonic clock, ms @returns cancels it */
  at(moment: number, intervalMs: Milliseconds, action: () => Promise<void>): () => void {
    const stepMs = Math.max(1, Math.min(MOST_LATE_MS, Math.floor(intervalMs / 2)));
    const firesAt = this.#clock.isVirtual ? moment : Math.ceil(moment / stepMs) * stepMs;
    const timer = this.#timers.get(firesAt) ?? this.#newTimer(firesAt);
    timer.actions.add(action);
    return () => {
      if (!timer.actions.delete(action) || timer.actions.size > 0) return;
      timer.cancel();
      if (this.#timers.get(firesAt) === timer) this.#timers.delete(firesAt);
    };
  }

  #newTimer(firesAt: number): JointTimer {
    const actions = new Set<() => Promise<void>>();
    // biome-ignore lint/nursery/noMisusedPromises: a virtual clock waits for what its actions return
    const cancel = this.#clock.after(firesAt - this.#clock.monotonic(), () => {
      this.#timers.delete(firesAt);
      const due = [...actions];
      return Promise.all(due.map((action) => actions.delete(action) && action()));
    });
    const timer = { actions, cancel };
    this.#timers.set(firesAt, timer);
    return timer;
  }
}
