import type { Milliseconds } from '../quantity.ts';
import { type Clock, systemClock } from './clock.ts';
import { sleepOn } from './sleep-on.ts';

/** Timers of the system clock round to whole milliseconds and fire late; what is left is watched. */
const TIMER_SLACK_MS = 1.5;

/**
 * Like `clock.after`, but on the machine's own clock it fires within a fraction of a millisecond, never early: a timer
 * for the greater part, then a look at the clock on every turn of the event loop, which keeps a core busy for up to
 * 2.5 ms. On any other clock it is `clock.after`.
 */
export function afterPrecisely(clock: Clock, ms: Milliseconds, action: () => void): () => void {
  if (clock !== systemClock) return clock.after(ms, action);
  const due = clock.monotonic() + ms;
  let turn: NodeJS.Immediate | undefined;
  const watch = () => {
    if (clock.monotonic() >= due) action();
    else turn = setImmediate(watch);
  };
  let cancelTimer = () => {};
  if (ms > TIMER_SLACK_MS) cancelTimer = clock.after(Math.floor(ms - TIMER_SLACK_MS), watch);
  else turn = setImmediate(watch);
  return () => {
    cancelTimer();
    clearImmediate(turn);
  };
}

/** `afterPrecisely` as a promise; rejects with the signal's reason when it aborts first. Nothing is left pending. */
export function sleepPrecisely(clock: Clock, ms: Milliseconds, signal?: AbortSignal): Promise<void> {
  return sleepOn((action) => afterPrecisely(clock, ms, action), signal);
}
