import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile, syncDirectory } from '../lib/files/replace-file.ts';

/**
 * Puts a file in place as a whole, with its folder and mode; one that has this content already is left alone.
 * @returns whether it was changed. @throws NodeJS.ErrnoException
 */
export function writeWhole(path: string, content: string | Uint8Array, mode: number): boolean {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) {
    chmodSync(path, mode);
    return false;
  }
  makeFolder(dirname(path));
  replaceFile(path, content);
  chmodSync(path, mode);
  return true;
}

/** A link, in place at once. @throws NodeJS.ErrnoException */
export function linkWhole(path: string, target: string): void {
  if (linkOf(path) === target) return;
  makeFolder(dirname(path));
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  symlinkSync(target, temporary);
  renameSync(temporary, path);
  syncDirectory(dirname(path));
}

/**
 * Text of a file without the white space around it; undefined when it is not there.
 * @throws NodeJS.ErrnoException when it is there and cannot be read: a card that fails once must not pass for an empty one
 */
export function textOf(...parts: string[]): string | undefined {
  try {
    return readFileSync(join(...parts), 'utf8')
      .replace(/\0/g, '')
      .trim();
  } catch (fault) {
    const { code = '' } = fault as NodeJS.ErrnoException;
    if (ABSENT.includes(code)) return undefined;
    throw fault;
  }
}

const ABSENT = ['ENOENT', 'ENOTDIR'];

function makeFolder(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(path, { recursive: true });
  // Whatever the umask is: the report is read by others.
  chmodSync(path, 0o755);
  syncDirectory(dirname(path));
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
