import process from 'node:process';
import { systemClock } from '../lib/clock/clock.ts';
import { acquireLock, type Lock, LockHeldError } from '../lib/lock/lock.ts';
import { ApplianceError } from './appliance-error.ts';
import type { Places } from './places.ts';
import { runProgram } from './run-program.ts';
import { textOf } from './write-whole.ts';

const RETRY_MS = 100;
/** An update writes for minutes. */
const LIMIT_MS = 15 * 60_000;

/**
 * The FAT partition is mounted read-only at all other times. One at a time: the one that ends first would make it read-only under the
 * hands of the other.
 * @throws ApplianceError where it cannot be written
 */
export async function whileWritable<T>({ root, firmware }: Places, work: () => T | Promise<T>): Promise<T> {
  const lock = await lockOf(firmware);
  try {
    const isMounted = root === '/' && (textOf('/proc/mounts') ?? '').includes(` ${firmware} `);
    if (isMounted) runProgram('mount', remountArguments(firmware, 'rw'));
    try {
      return await work();
    } finally {
      if (isMounted) {
        runProgram('sync', ['-f', firmware]);
        runProgram('mount', remountArguments(firmware, 'ro'));
      }
    }
  } finally {
    await lock.release();
  }
}

/**
 * Of `mount`. Without fstab: its PARTUUID cannot be resolved in a unit with a /dev of its own, and its `nofail` makes that a success which
 * remounts nothing.
 */
export const remountArguments = (firmware: string, access: 'rw' | 'ro'): string[] => [
  '--options-source=mtab',
  ...['-o', `remount,${access}`],
  firmware,
];

async function lockOf(firmware: string): Promise<Lock> {
  const since = new Date(systemClock.now()).toISOString();
  const identity = () => ({ service: 'svc-rig', pid: process.pid, port: null, since });
  const until = systemClock.monotonic() + LIMIT_MS;
  for (;;)
    try {
      return await acquireLock({ key: `firmware:${firmware}`, identity });
    } catch (fault) {
      if (!(fault instanceof LockHeldError)) throw fault;
      if (systemClock.monotonic() >= until)
        throw new ApplianceError(
          'step_failed',
          `${firmware} is being written by another program (${fault.holder ? `pid ${fault.holder.pid}` : 'unknown'}): wait for its end`,
        );
      await systemClock.sleep(RETRY_MS);
    }
}
