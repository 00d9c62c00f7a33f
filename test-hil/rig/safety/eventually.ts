import { systemClock } from '../../../src/lib/clock/clock.ts';

const POLL_MS = 20;

/** @returns whether it came to hold within the limit */
export async function eventually(holds: () => boolean, limitMs: number): Promise<boolean> {
  const until = systemClock.monotonic() + limitMs;
  while (!holds()) {
    if (systemClock.monotonic() > until) return false;
    await systemClock.sleep(POLL_MS);
  }
  return true;
}
