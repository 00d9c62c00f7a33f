import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file as a whole: a reader sees the old content or the new one, also after a power cut. Of an existing file it
 * keeps the mode, writes to where a link leads, and keeps the owner when root writes. @throws the system's error
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  const target = existing ? realpathSync(path) : path;
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    // A link that somebody put there would be written through.
    rmSync(temporary, { force: true });
    synced(temporary, 'wx', (file) => {
      if (existing) fchmodSync(file, existing.mode & 0o777);
      if (existing && process.getuid?.() === 0) fchownSync(file, existing.uid, existing.gid);
      writeFileSync(file, content);
    });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(dirname(target));
}

/** Makes a new or renamed entry of a directory last. */
export function syncDirectory(path: string): void {
  synced(path, 'r', () => {});
}

function synced(path: string, flags: string, work: (file: number) => void): void {
  const file = openSync(path, flags);
  try {
    work(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
