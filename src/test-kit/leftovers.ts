import { readdirSync, readFileSync } from 'node:fs';
import { MARK_VARIABLE } from '../lib/http/answer-tap.ts';

export interface ProcessInfo {
  pid: number;
  command: string;
}

/**
 * Living processes that carry `mark`, also those that left the process group (daemons, terminals). Reads Linux's
 * /proc; finds none elsewhere.
 */
export function markedProcesses(mark: string): ProcessInfo[] {
  const wanted = `${MARK_VARIABLE}=${mark}`;
  return numericEntries('/proc').flatMap((pid) => {
    const environment = readOrEmpty(`/proc/${pid}/environ`).split('\0');
    if (pid === process.pid || !environment.includes(wanted)) return [];
    const command = readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    return [{ pid, command }];
  });
}

function numericEntries(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** A process that ended meanwhile, is a zombie or belongs to somebody else has no environment to read. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
