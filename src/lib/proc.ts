import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Milliseconds } from './quantity.ts';

/** A file below /proc; empty for a process that has ended or belongs to another account, and where there is no /proc. */
export function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Names in a folder below /proc; none of a process that has ended or belongs to another account. */
export function procEntries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Ids of the processes that this one may see. */
export const processIds = (): number[] => procEntries('/proc').map(Number).filter(Number.isInteger);

/** Where the links of a folder below /proc lead, for example to `socket:[4711]`; '' for one that is gone. */
export function linksOf(folder: string): string[] {
  return procEntries(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return '';
    }
  });
}

/** Fields of a `stat` below /proc, from the state on; of one that is gone the first is empty. */
export function statFields(path: string): string[] {
  const stat = readProc(path);
  // The name stands in parentheses and may have any character; fields are counted behind it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** One process and no other: a pid is used again, with its start time it is not (proc(5)). */
export interface ProcessId {
  pid: number;
  /** Clock ticks since boot, as the kernel writes it. */
  startTicks: string;
}

/** Undefined when the process is gone or has ended and only waits for its parent to ask. */
export function processIdOf(pid: number): ProcessId | undefined {
  const fields = statFields(`/proc/${pid}/stat`);
  const [state, startTicks] = [fields[0], fields[19]];
  if (!state || startTicks === undefined) return undefined;
  // The first thread may have ended before the others, which still hold the locks.
  const hasEnded = (state === 'Z' || state === 'X') && procEntries(`/proc/${pid}/task`).length <= 1;
  return hasEnded ? undefined : { pid, startTicks };
}

export const sameProcess = (a: ProcessId, b: ProcessId): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;

export const isAlive = ({ pid, startTicks }: ProcessId): boolean =>
  processIdOf(pid)?.startTicks === startTicks;

/** Linux counts the start of a process in hundredths of a second on every machine. */
const TICKS_PER_SECOND = 100;

/** Milliseconds since the start of a process; 0 where there is no /proc. */
export function processAgeMs({ startTicks }: ProcessId): Milliseconds {
  const upSeconds = Number(readProc('/proc/uptime').split(' ')[0]);
  return Math.max(0, (upSeconds - Number(startTicks) / TICKS_PER_SECOND) * 1000) || 0;
}
