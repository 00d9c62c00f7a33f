import { basename } from 'node:path';
import process from 'node:process';
import type { Clock } from '../../lib/clock/clock.ts';
import { rigKey, stateDirOf } from '../../lib/liveness/live-address.ts';
import { listenerPid } from '../../lib/lock/lock-listener.ts';
import { isAlive, type ProcessId, processIdOf, processIds, readProc } from '../../lib/proc.ts';
import type { Milliseconds } from '../../lib/quantity.ts';

const POLL_MS = 5;

/** Ends it at once, when it still is that process. @returns whether it is gone within the time */
export async function killMarked(mark: ProcessId, limitMs: Milliseconds, clock: Clock): Promise<boolean> {
  const until = clock.monotonic() + limitMs;
  if (isAlive(mark)) {
    try {
      process.kill(mark.pid, 'SIGKILL');
    } catch {
      // Ended just now, or it is another user's: the check below decides.
    }
  }
  while (isAlive(mark)) {
    if (clock.monotonic() >= until) return false;
    await clock.sleep(POLL_MS);
  }
  return true;
}

/**
 * The process that listens on an abstract address, by the kernel's own word: also one that stands still and answers
 * nothing. Undefined when no process does, or when it is another user's.
 */
export function listenerOf(address: string): ProcessId | undefined {
  const pid = listenerPid(address);
  return pid === undefined ? undefined : processIdOf(pid);
}

/** Its command line, word by word; empty when it is gone or another user's. */
export const wordsOf = ({ pid }: ProcessId): string[] => readProc(`/proc/${pid}/cmdline`).split('\0');

/** Whether a process runs one of our programs, as a bundle or from its source. @param service for example `svc-pump` */
export function runsProgram(mark: ProcessId, service: string): boolean {
  const source = `/services/${service.replace(/^svc-/, '')}/main.ts`;
  return wordsOf(mark).some((word) => basename(word) === `${service}.cjs` || `/${word}`.endsWith(source));
}

/** The variables that a process was started with; none of one that is gone or another user's. */
export function environmentOf({ pid }: ProcessId): Readonly<Record<string, string>> {
  const pairs = readProc(`/proc/${pid}/environ`).split('\0');
  return Object.fromEntries(pairs.map((one) => [one.split('=', 1)[0], one.slice(one.indexOf('=') + 1)]));
}

/**
 * The process that really holds the life line of a service: no other process is ever ended because its pid was named.
 * @param pid as it greeted. @returns undefined when it is not the one that listens there
 */
export function peerProcess(address: string, service: string, pid: unknown): ProcessId | undefined {
  if (typeof pid !== 'number') return undefined;
  const holder = listenerOf(address);
  if (holder) return holder.pid === pid ? holder : undefined;
  const named = processIdOf(pid);
  return named && runsProgram(named, service) ? named : undefined;
}

/** Whether a process was started with the state folder of a rig. */
export const isOfRig = (mark: ProcessId, stateDir: string): boolean =>
  rigKey(stateDirOf(environmentOf(mark))) === rigKey(stateDir);

/** Whether any process runs one of our programs for a rig in real mode, also one that stands still. */
export const runsForRealRig = (service: string, stateDir: string): boolean =>
  processIds().some((pid) => {
    const mark = processIdOf(pid);
    return mark !== undefined && runsProgram(mark, service) && isOfRig(mark, stateDir) && isReal(mark);
  });

function isReal(mark: ProcessId): boolean {
  const { SVC_HARDWARE_MODE, HARDWARE_MODE } = environmentOf(mark);
  return (SVC_HARDWARE_MODE || HARDWARE_MODE) === 'real';
}
