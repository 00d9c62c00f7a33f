import { type Clock, systemClock } from './clock.ts';

/** How late the machine's timers may be, milliseconds: they count whole ones and round up. */
const TIMER_LATENESS_MS = 1;

/**
 * Keeps the event loop from sleeping for `forMs`, `afterMs` from now: waking up a sleeping process takes a few tenths of
 * a millisecond. Keeps a core busy for that time and up to 1 ms before it. Does nothing with any clock but the machine's own.
 *
 * @returns ends it
 */
export function stayAwake(clock: Clock, afterMs: number, forMs: number): () => void {
  if (clock !== systemClock) return () => {};
  const endsAtMs = clock.monotonic() + afterMs + forMs;
  let turn: NodeJS.Immediate | undefined;
  const look = () => {
    if (clock.monotonic() < endsAtMs) turn = setImmediate(look);
  };
  const cancelTimer = clock.after(Math.max(0, Math.floor(afterMs - TIMER_LATENESS_MS)), look);
  return () => {
    cancelTimer();
    clearImmediate(turn);
  };
}
