import { statSync } from 'node:fs';
import { realPath } from '../sysfs/sysfs.ts';

/** Majors of the kernel's pseudo-terminals (Unix98, the side of the host): 136 to 143. */
const FIRST_MAJOR = 136;
const LAST_MAJOR = 143;

/**
 * Whether a path leads to a pseudo-terminal: below /dev/pts, or a node with one of its majors, as a container has it under another
 * name.
 */
export function isPseudoTerminal(path: string): boolean {
  if (realPath(path)?.startsWith('/dev/pts/') === true) return true;
  try {
    const status = statSync(path);
    const major = (status.rdev >> 8) & 0xfff;
    return status.isCharacterDevice() && major >= FIRST_MAJOR && major <= LAST_MAJOR;
  } catch {
    return false;
  }
}
