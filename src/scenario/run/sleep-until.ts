import type { Clock } from '../../lib/clock/clock.ts';

/** Timers of the machine may be late by more than a millisecond; the rest of a pause is spent in turns of the loop. */
const COARSE_MS = 1.5;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Sleeps until a moment of the monotonic clock, without drift and late by microseconds. */
export async function sleepUntil(clock: Clock, deadline: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const before = clock.monotonic();
    const left = deadline - before;
    if (left <= 0) return;
    if (clock.isVirtual) return clock.sleep(left, signal);
    if (left > COARSE_MS) {
      await clock.sleep(Math.max(1, Math.floor(left - 1)), signal);
      continue;
    }
    await turn();
    // A clock that does not run by itself would never get there.
    if (clock.monotonic() === before) await clock.sleep(left, signal);
  }
}
