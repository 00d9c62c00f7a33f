import { constants } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { acquireLock, type Lock, LockHeldError } from '../../lib/lock/lock.ts';
import type { FileAccess } from '../image/file-access.ts';
import { WindowError } from '../window-error.ts';
import type { StoredProgram } from './read-program.ts';

/** How long one writer waits for another, milliseconds, and how often it asks. */
const WAIT_MS = 10_000;
const ASK_EVERY_MS = 20;
const NEW_FILE_MODE = 0o644;

/**
 * Puts a new text in the place of a program: a reader sees the old one or the new one, also after a power cut. Writers of
 * one file come one after the other, also those of other processes, and what has changed since it was read is kept.
 *
 * @param read what the new text was made from; undefined: there was no file
 * @throws WindowError `program_changed`, `program_unwritable`, `path_refused`, `busy`
 */
export async function saveProgram(
  { access, clock }: { access: FileAccess; clock: Clock },
  path: string,
  read: StoredProgram | undefined,
  text: string,
): Promise<void> {
  const target = await access.target(path);
  const lock = await lockFile(target, clock);
  try {
    const found = await readFile(target, 'utf8').catch(absent);
    if (found !== read?.text) {
      const remedy = 'read it again and repeat the operation';
      throw new WindowError('program_changed', `${target} was changed since it was read; ${remedy}`, {
        path: target,
      });
    }
    await replace(target, text);
  } catch (thrown) {
    if (thrown instanceof WindowError) throw thrown;
    throw new WindowError('program_unwritable', `${target} cannot be written: ${reasonOf(thrown)}`, {
      path: target,
      cause: thrown,
    });
  } finally {
    await lock.release();
  }
}

async function replace(target: string, text: string): Promise<void> {
  const mode = await stat(target).then(({ mode }) => mode & 0o777, absent);
  const temporary = join(dirname(target), `.${basename(target).slice(0, 200)}.svc-window.tmp`);
  // Only the holder of the file's lock comes here: what lies there is left from one that was killed.
  await rm(temporary, { force: true });
  try {
    const file = await open(
      temporary,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
      mode ?? NEW_FILE_MODE,
    );
    try {
      await file.writeFile(text);
      if (mode !== undefined) await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const folder = await open(dirname(target), constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function lockFile(target: string, clock: Clock): Promise<Lock> {
  const since = new Date(clock.now()).toISOString();
  const identity = () => ({ service: 'svc-window', pid: process.pid, port: null, since });
  const end = clock.monotonic() + WAIT_MS;
  for (;;) {
    try {
      return await acquireLock({ key: `program-${target}`, identity, clock });
    } catch (thrown) {
      if (!(thrown instanceof LockHeldError)) throw thrown;
      if (clock.monotonic() >= end)
        throw new WindowError(
          'busy',
          `${target} is being written by another program since ${WAIT_MS / 1000} s`,
          {
            path: target,
            cause: thrown,
          },
        );
      await clock.sleep(ASK_EVERY_MS);
    }
  }
}

function absent(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code === 'ENOENT') return undefined;
  throw thrown;
}
