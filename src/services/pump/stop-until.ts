import type { Clock } from '../../lib/clock/clock.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';

/** No attempt begins later; the service is given longer to end. */
const LIMIT_MS = 3500;
const RETRY_MS = 200;

/**
 * Stops before the service ends, again and again within its time. A device that another owner has is not stopped by
 * waiting.
 *
 * @returns whether one attempt was proven
 */
export async function stopUntil(stop: () => Promise<unknown>, clock: Clock): Promise<boolean> {
  const lastAt = clock.monotonic() + LIMIT_MS;
  for (;;) {
    try {
      await stop();
      return true;
    } catch (thrown) {
      if (thrown instanceof LockHeldError || clock.monotonic() + RETRY_MS > lastAt) return false;
      await clock.sleep(RETRY_MS);
    }
  }
}
