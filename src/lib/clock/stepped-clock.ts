import type { Milliseconds } from '../quantity.ts';
import type { Clock } from './clock.ts';
import { sleepOn } from './sleep-on.ts';

interface Pending {
  due: number;
  order: number;
  action: () => void;
}

/**
 * A clock that moves only when told to. Timers fire in order of due time, each at its own moment, and the
 * microtasks that one of them starts are run before the next one fires.
 */
export class SteppedClock implements Clock {
  #elapsed = 0;
  #order = 0;
  #pending: Pending[] = [];
  readonly #epoch: number;

  /** @param epoch wall-clock milliseconds at elapsed time 0 */
  constructor(epoch = Date.UTC(2025, 0, 1)) {
    this.#epoch = epoch;
  }

  now(): number {
    return this.#epoch + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(ms: Milliseconds, action: () => void): () => void {
    const entry: Pending = { due: this.#elapsed + Math.max(0, ms), order: this.#order++, action };
    this.#pending.push(entry);
    return () => {
      this.#pending = this.#pending.filter((other) => other !== entry);
    };
  }

  sleep(ms: Milliseconds, signal?: AbortSignal): Promise<void> {
    return sleepOn((action) => this.after(ms, action), signal);
  }

  /** Timers not yet fired. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Moves time on by `ms`, firing what falls due on the way. */
  async advance(ms: Milliseconds): Promise<void> {
    const target = this.#elapsed + ms;
    await settle();
    for (;;) {
      const next = this.#pending
        .filter((entry) => entry.due <= target)
        .sort((a, b) => a.due - b.due || a.order - b.order)[0];
      if (!next) break;
      this.#pending = this.#pending.filter((entry) => entry !== next);
      this.#elapsed = Math.max(this.#elapsed, next.due);
      next.action();
      await settle();
    }
    this.#elapsed = target;
    await settle();
  }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
