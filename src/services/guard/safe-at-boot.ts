import type { Clock } from '../../lib/clock/clock.ts';
import type { Guard } from '../../rig/guard/guard.ts';
import type { GuardReport } from '../../rig/guard/guard-report.ts';

/** A USB hub of a machine that has just started may show its devices only now. */
const RETRY_LIMIT_MS = 10_000;
const RETRY_MS = 500;

/**
 * The safe state before any service of the rig starts, repeated for 10 s until each step is proven. It is no operator's stop: the
 * services may actuate afterwards. Never rejects.
 * @returns the last report
 */
export async function makeSafeAtBoot(guard: Pick<Guard, 'makeSafe'>, clock: Clock): Promise<GuardReport> {
  const until = clock.monotonic() + RETRY_LIMIT_MS;
  for (;;) {
    const report = await guard.makeSafe('boot');
    if (report.ok || clock.monotonic() >= until) return report;
    await clock.sleep(RETRY_MS);
  }
}
