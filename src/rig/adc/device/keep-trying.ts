import type { Clock } from '../../../lib/clock/clock.ts';

const FIRST_WAIT_MS = 200;
const LAST_WAIT_MS = 5000;

/**
 * Calls `attempt` until it succeeds: at once, then with a back-off of 0.2 s doubling to 5 s. Ends quietly when the
 * signal aborts.
 *
 * @param failed is told of every attempt that failed
 */
export async function keepTrying(
  attempt: () => Promise<void>,
  { clock, signal, failed }: { clock: Clock; signal: AbortSignal; failed: (fault: unknown) => void },
): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      await attempt();
      return;
    } catch (fault) {
      failed(fault);
    }
    await clock.sleep(waitMs, signal).catch(() => {});
    waitMs = Math.min(2 * waitMs, LAST_WAIT_MS);
  }
}
