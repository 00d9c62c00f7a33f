import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock/clock.ts';
import { acquireLock, LockHeldError } from '../../lib/lock/lock.ts';
import type { RuntimeFolder } from '../start/runtime-folder.ts';
import { inUseError } from '../start/start-error.ts';

/**
 * One switch at a time in a folder. The kernel frees this at any death.
 * @throws CliError `switch_running`, exit code 75
 */
export async function onlySwitch({ path }: RuntimeFolder, clock: Clock): Promise<() => Promise<void>> {
  const since = new Date(clock.now()).toISOString();
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 24);
  try {
    const lock = await acquireLock({
      key: `profile-${hash}`,
      identity: () => ({ service: 'svcctl profile', pid: process.pid, port: null, since }),
      clock,
    });
    return () => lock.release();
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const { holder } = error;
    const who = holder ? ` (pid ${holder.pid}, since ${holder.since})` : '';
    throw inUseError(
      'switch_running',
      `another switch of the profile is under way in ${path}${who}: wait until it has ended`,
    );
  }
}
