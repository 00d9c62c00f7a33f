import { systemClock } from '../../lib/clock/clock.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { GUARD } from '../../rig/guard/bridge-life.ts';
import type { GuardPair } from '../../rig/guard/guard-pair.ts';
import type { GuardReport } from '../../rig/guard/guard-report.ts';
import { askGuardToStop } from '../../rig/guard/guard-socket.ts';
import { killMarked, listenerOf, runsProgram } from '../../rig/guard/process-id.ts';
import type { StopRequest } from '../../rig/safe-state/operator-stop.ts';

const ASK_LIMIT_MS = 8000;
const KILL_LIMIT_MS = 1000;
/** Until another guard, which has taken the place of one that was ended, takes commands. */
const ONCE_LIMIT_MS = 8000;
const POLL_MS = 50;

/**
 * By the guard that acts; one that hangs is ended, and its partner, which takes its place, is asked in turn.
 * @returns undefined when there is none: then this process has the lock. @throws LockHeldError
 */
export async function askedOrLeading(
  pair: GuardPair,
  address: string,
  request: StopRequest,
  key: string,
): Promise<GuardReport | undefined> {
  const until = systemClock.monotonic() + ONCE_LIMIT_MS;
  for (;;) {
    const report = await asked(address, request, key);
    if (report || (await pair.leadAlone())) return report;
    if (systemClock.monotonic() >= until) throw new LockHeldError(key, null);
    await systemClock.sleep(POLL_MS);
  }
}

/** By the guard that is there already; one that stands still is ended. @returns undefined when there is none */
async function asked(address: string, request: StopRequest, key: string): Promise<GuardReport | undefined> {
  const report = await askGuardToStop(address, request, systemClock, ASK_LIMIT_MS);
  if (typeof report !== 'string') return report;
  const holder = report === 'silent' ? listenerOf(lockAddress(key)) : undefined;
  if (holder && runsProgram(holder, GUARD)) await killMarked(holder, KILL_LIMIT_MS, systemClock);
  return undefined;
}
