import { statSync, writeFileSync } from 'node:fs';
import { reasonOf } from '../../lib/errors/reason.ts';
import { replaceFile } from '../../lib/files/replace-file.ts';
import { OutputError } from './output-error.ts';

/** Replaces a file as a whole, see `replaceFile`. @throws OutputError `output_failed` */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  try {
    const existing = statSync(path, { throwIfNoEntry: false });
    // A device or pipe has no old text, and renaming would remove it.
    if (existing && !existing.isFile()) writeFileSync(path, content);
    else replaceFile(path, content);
  } catch (cause) {
    throw new OutputError(`cannot write ${path}: ${reasonOf(cause)}`, { cause });
  }
}
