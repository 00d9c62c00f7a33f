import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock/clock.ts';
import { acquireLock, LockHeldError, type LockHolder } from '../../lib/lock/lock.ts';
import type { RuntimeFolder } from './runtime-folder.ts';

/**
 * One program of a kind at a time in a folder. The kernel frees this at any death.
 *
 * @param options.kind part of the lock's key
 * @param options.service how the holder is named to others
 * @param options.held the error, when another one works there; `who` is its pid and start, or nothing
 * @returns gives it back
 */
export async function onlyOne(
  { path }: RuntimeFolder,
  clock: Clock,
  options: { kind: string; service: string; held: (path: string, who: string) => Error },
): Promise<() => Promise<void>> {
  const since = new Date(clock.now()).toISOString();
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 24);
  const identity = (): LockHolder => ({ service: options.service, pid: process.pid, port: null, since });
  try {
    const lock = await acquireLock({ key: `${options.kind}-${hash}`, identity, clock });
    return () => lock.release();
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const { holder } = error;
    throw options.held(path, holder ? ` (pid ${holder.pid}, since ${holder.since})` : '');
  }
}
