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
 * Replaces an existing file as a whole: a reader sees the old text or the new one, also after a power cut. Keeps its
 * mode, writes to where a link leads, and keeps its owner when root writes. @throws the system's error
 */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  const { mode, uid, gid } = statSync(target);
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    synced(temporary, 'w', (file) => {
      fchmodSync(file, mode & 0o777);
      if (process.getuid?.() === 0) fchownSync(file, uid, gid);
      writeFileSync(file, text);
    });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  synced(dirname(target), 'r', () => {});
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
