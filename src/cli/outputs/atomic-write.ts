import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after a power cut. Keeps the mode of an
 * existing file.
 * @throws CliError `output_failed`, exit code 3
 */
export function writeAtomically(path: string, text: string): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const fd = openSync(temporary, 'w', modeOf(path));
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
    syncDirectory(dirname(path));
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new CliError('output_failed', `cannot write ${path}: ${messageOf(cause)}`, EXIT.error, { cause });
  }
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

function modeOf(path: string): number {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    // A new file gets the usual mode; a real obstacle shows when the file is opened.
    return 0o666;
  }
}
