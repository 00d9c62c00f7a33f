import type { Milliseconds } from '../quantity.ts';
import type { Clock } from './clock.ts';

/** A timer that is later than this belongs to a program that had no processor, milliseconds. */
const HELD_UP_MS = 25;
/** What such a program gets to fetch what came meanwhile, milliseconds. */
const GRACE_MS = 50;

/**
 * Like `clock.after`, for the end of a wait for an answer. A program that was held up finds its timers before the answers
 * that have come: it fetches these first, and only then is there silence. Not for times that keep a rig safe.
 */
export function afterSilence(clock: Clock, ms: Milliseconds, action: () => void): () => void {
  const dueAt = clock.monotonic() + ms;
  let cancel = clock.after(ms, () => {
    if (clock.monotonic() - dueAt < HELD_UP_MS) action();
    else cancel = clock.after(GRACE_MS, action);
  });
  return () => cancel();
}
