import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock/clock.ts';
import { acquireLock, LockHeldError } from '../../lib/lock/lock.ts';
import type { RuntimeFolder } from './runtime-folder.ts';
import { inUseError } from './start-error.ts';

/**
 * Makes sure that one start at a time works in a folder. The kernel frees this at any death.
 * @throws CliError `already_running`, exit code 75
 */
export async function onlyStart({ path }: RuntimeFolder, clock: Clock): Promise<() => Promise<void>> {
  const since = new Date(clock.now()).toISOString();
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 24);
  try {
    const lock = await acquireLock({
      key: `start-${hash}`,
      identity: () => ({ service: 'svc-start', pid: process.pid, port: null, since }),
      clock,
    });
    return () => lock.release();
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const { holder } = error;
    const who = holder ? ` (pid ${holder.pid}, since ${holder.since})` : '';
    throw inUseError(
      'already_running',
      `npm start runs already in ${path}${who}: use it, or end it with Ctrl-C in its terminal`,
    );
  }
}
