import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { OutputError } from './output-error.ts';

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after a power cut. Keeps the mode of an
 * existing file and writes to where a link leads.
 * @throws OutputError `output_failed`
 */
export function writeAtomically(path: string, text: string): void {
  try {
    const existing = statSync(path, { throwIfNoEntry: false });
    // A device or pipe has no old text, and renaming would remove it.
    if (existing && !existing.isFile()) writeFileSync(path, text);
    else if (existing) replace(realpathSync(path), text, existing.mode & 0o777);
    else replace(path, text);
  } catch (cause) {
    throw new OutputError(`cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

function replace(path: string, text: string, mode?: number): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const fd = openSync(temporary, 'w');
    try {
      if (mode !== undefined) fchmodSync(fd, mode);
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Makes a new or renamed entry of a directory last. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
