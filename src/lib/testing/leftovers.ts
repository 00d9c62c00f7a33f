import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that marks a test file's process and, by inheritance, everything it starts. */
export const MARK_VARIABLE = 'SVC_RIG_TEST_FILE';

/** File to which the services below a test write their answers; see lib/http/answer-tap.ts. */
export const answersFile = (mark: string): string => `/tmp/svc-rig-answers-${mark}.ndjson`;

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
