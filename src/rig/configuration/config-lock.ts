import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { ConfigError } from '../../lib/config/config-error.ts';
import { acquireLock, type Lock, LockHeldError } from '../../lib/lock/lock.ts';

const WAIT_MS = 5000;
const RETRY_MS = 50;

export interface ConfigWriter {
  /** Who writes, for the message to the next one, for example `svcctl calibrate`. */
  service: string;
  clock?: Clock;
}

/**
 * Does the work while no other program of ours changes this file: two changes at once would lose one of them. A
 * change takes milliseconds, so one that is under way is waited for, up to 5 s.
 * @param path of `svc.yaml`; every link to it means the same lock
 * @throws ConfigError when another program goes on changing it, LockError
 */
export async function withConfigLock<T>(
  path: string,
  writer: ConfigWriter,
  work: () => T | Promise<T>,
): Promise<T> {
  const lock = await takeLock(real(path), writer);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function takeLock(path: string, { service, clock = systemClock }: ConfigWriter): Promise<Lock> {
  const since = new Date(clock.now()).toISOString();
  const identity = () => ({ service, pid: process.pid, port: null, since });
  const key = `config-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
  const until = clock.monotonic() + WAIT_MS;
  for (;;) {
    try {
      return await acquireLock({ key, identity, clock });
    } catch (fault) {
      if (!(fault instanceof LockHeldError)) throw fault;
      if (clock.monotonic() > until) throw isBusy(path, fault);
      await clock.sleep(RETRY_MS);
    }
  }
}

function isBusy(path: string, { holder }: LockHeldError): ConfigError {
  const who = holder ? `${holder.service} (pid ${holder.pid})` : 'an unidentified program';
  const message = `is being changed by ${who}; wait until it has ended, then try again`;
  return new ConfigError(path, [{ path: 'file', value: null, message }]);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there: whoever reads it next says so.
    return path;
  }
}
