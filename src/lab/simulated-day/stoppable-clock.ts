import type { Clock } from '../../lib/clock/clock.ts';
import { sleepOn } from '../../lib/clock/sleep-on.ts';

/** The clock of somebody who may die: from then on none of his timers fires any more, and no sleep of his ends. */
export class StoppableClock implements Clock {
  readonly #clock: Clock;
  readonly #timers = new Set<() => void>();
  #isDead = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  after(ms: number, action: () => void): () => void {
    if (this.#isDead) return () => {};
    const cancel = this.#clock.after(ms, () => {
      this.#timers.delete(stop);
      action();
    });
    const stop = () => {
      this.#timers.delete(stop);
      cancel();
    };
    this.#timers.add(stop);
    return stop;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn((action) => this.after(ms, action), signal);
  }

  /** As SIGKILL does it: nothing is tidied up. */
  die(): void {
    this.#isDead = true;
    for (const stop of [...this.#timers]) stop();
  }
}
