import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the processes that this one may see; none where there is no /proc. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** A file below /proc; empty for a process that ended meanwhile or belongs to somebody else. */
export function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
