import type { Clock } from '../../lib/clock/clock.ts';

interface JointTimer {
  readonly actions: Set<() => Promise<void>>;
  readonly cancel: () => void;
}

/** Actions for the same moment have one timer, so that what they begin begins together. */
export class JointTimers {
  readonly #clock: Clock;
  readonly #timers = new Map<number, JointTimer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param moment of the monotonic clock, ms @returns cancels it */
  at(moment: number, action: () => Promise<void>): () => void {
    const timer = this.#timers.get(moment) ?? this.#newTimer(moment);
    timer.actions.add(action);
    return () => {
      if (!timer.actions.delete(action) || timer.actions.size > 0) return;
      timer.cancel();
      if (this.#timers.get(moment) === timer) this.#timers.delete(moment);
    };
  }

  #newTimer(moment: number): JointTimer {
    const actions = new Set<() => Promise<void>>();
    // biome-ignore lint/nursery/noMisusedPromises: a virtual clock waits for what its actions return
    const cancel = this.#clock.after(moment - this.#clock.monotonic(), () => {
      this.#timers.delete(moment);
      const due = [...actions];
      return Promise.all(due.map((action) => actions.delete(action) && action()));
    });
    const timer = { actions, cancel };
    this.#timers.set(moment, timer);
    return timer;
  }
}
