import type { Milliseconds } from '../quantity.ts';
import { sleepOn } from './sleep-on.ts';

/** Time as every part of the house sees it: injected, so that tests and dry-runs can step it. */
export interface Clock {
  /** Wall clock, milliseconds since the Unix epoch. May jump; only for time stamps. */
  now(): number;
  /** Monotonic clock, milliseconds from an arbitrary origin. For durations and deadlines. */
  monotonic(): number;
  /**
   * Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first.
   * The timer is gone in either case.
   */
  sleep(ms: Milliseconds, signal?: AbortSignal): Promise<void>;
  /** Calls `action` once after `ms`; the returned function cancels it. */
  after(ms: Milliseconds, action: () => void): () => void;
  /** Only a sleep moves this time on, and takes none itself. */
  readonly isVirtual?: boolean;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleepOn((action) => after(ms, action), signal),
  after,
};

function after(ms: Milliseconds, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}
