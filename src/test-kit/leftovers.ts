import { MARK_VARIABLE } from '../lib/http/answer-tap.ts';
import { processIds, readProc } from '../lib/proc.ts';

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
  return processIds().flatMap((pid) => {
    const environment = readProc(`/proc/${pid}/environ`).split('\0');
    if (pid === process.pid || !environment.includes(wanted)) return [];
    const command = readProc(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    return [{ pid, command }];
  });
}
