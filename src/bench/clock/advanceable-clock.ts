import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../lib/clock/clock.ts';
import { sleepOn } from '../../lib/clock/sleep-on.ts';
import type { BenchClock } from './bench-clock.ts';

interface Timer {
  dueMs: number;
  order: number;
  action: () => void;
  /** Ends the wait on the clock below. */
  disarm: () => void;
}

/** A clock that runs with another one and can be moved ahead of it: what would fall due in between falls due at once. */
export class AdvanceableClock implements BenchClock {
  readonly #base: Clock;
  readonly #timers = new Set<Timer>();
  #aheadMs = 0;
  #order = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(base: Clock) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now() + this.#aheadMs;
  }

  monotonic(): number {
    return this.#base.monotonic() + this.#aheadMs;
  }

  after(ms: number, action: () => void): () => void {
    const timer: Timer = {
      dueMs: this.monotonic() + Math.max(0, ms),
      order: this.#order++,
      action,
      disarm: () => {},
    };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => this.#take(timer);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn((action) => this.after(ms, action), signal);
  }

  advance(ms: number): Promise<void> {
    const jump = this.#last.then(() => this.#jump(ms));
    this.#last = jump.catch(() => {});
    return jump;
  }

  async #jump(ms: number): Promise<void> {
    const targetMs = this.monotonic() + ms;
    for (;;) {
      const next = [...this.#timers]
        .filter(({ dueMs }) => dueMs <= targetMs)
        .sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
      if (!next) break;
      this.#take(next);
      this.#moveTo(next.dueMs);
      next.action();
      await turn();
    }
    this.#moveTo(targetMs);
    for (const timer of this.#timers) {
      timer.disarm();
      this.#arm(timer);
    }
  }

  #moveTo(ms: number): void {
    this.#aheadMs += Math.max(0, ms - this.monotonic());
  }

  #arm(timer: Timer): void {
    timer.disarm = this.#base.after(timer.dueMs - this.monotonic(), () => {
      this.#timers.delete(timer);
      timer.action();
    });
  }

  #take(timer: Timer): void {
    timer.disarm();
    this.#timers.delete(timer);
  }
}
