import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock/clock.ts';
import { acquireLock, LockHeldError, type LockHolder } from '../../lib/lock/lock.ts';
import type { RuntimeFolder } from './runtime-folder.ts';
import { inUseError } from './start-error.ts';

/**
 * Makes sure that one start at a time works in a folder.
 * @throws CliError `already_running`, exit code 75
 */
export function onlyStart(folder: RuntimeFolder, clock: Clock): Promise<() => Promise<void>> {
  return onlyOne(folder, clock, {
    kind: 'start',
    service: 'svc-start',
    held: (path, who) =>
      inUseError(
        'already_running',
        `npm start runs already in ${path}${who}: use it, or end it with Ctrl-C in its terminal`,
      ),
  });
}

/**
 * One switch at a time in a folder.
 * @throws CliError `switch_running`, exit code 75
 */
export function onlySwitch(folder: RuntimeFolder, clock: Clock): Promise<() => Promise<void>> {
  return onlyOne(folder, clock, {
    kind: 'profile',
    service: 'svcctl profile',
    held: (path, who) =>
      inUseError(
        'switch_running',
        `another switch of the profile is under way in ${path}${who}: wait until it has ended`,
      ),
  });
}

/**
 * One program of a kind at a time in a folder. The kernel frees this at any death.
 *
 * @param options.kind part of the lock's key
 * @param options.service how the holder is named to others
 * @param options.held the error, when another one works there; `who` is its pid and start, or nothing
 * @returns gives it back
 */
async function onlyOne(
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
