import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Processes that are looked at before the search is given up. */
const MAX_PROCESSES = 4096;

export interface Holder {
  pid: number;
  /** Program and its first argument, as `ps` shows them. */
  program: string;
  /** It owns the lock; otherwise it merely has the file open, and may not be the one in the way. */
  locked: boolean;
}

/**
 * The process that holds a device file: the owner of its advisory lock, else the first one found that has it open.
 * Best effort; a process of another user shows its open files to root alone. Undefined when none is found.
 *
 * @param proc root of procfs
 */
export async function findHolder(path: string, proc = '/proc'): Promise<Holder | undefined> {
  try {
    const owner = await lockOwner(path, proc);
    const pid = owner ?? (await opener(await realpath(path), proc));
    if (pid === undefined) return undefined;
    return { pid, program: await programOf(pid, proc), locked: owner !== undefined };
  } catch {
    return undefined;
  }
}

/** /proc/locks is readable by all users: `1: FLOCK  ADVISORY  WRITE 1234 00:18:5 0 EOF`. */
async function lockOwner(path: string, proc: string): Promise<number | undefined> {
  const { dev, ino } = await stat(path);
  const hex = (number: number) => number.toString(16).padStart(2, '0');
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
  const place = `${hex(major)}:${hex(minor)}:${ino}`;
  const locks = await readFile(join(proc, 'locks'), 'utf8').catch(() => '');
  const fields = locks
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find((line) => line[1] === 'FLOCK' && line[5] === place);
  const pid = Number(fields?.[4]);
  return pid > 0 ? pid : undefined;
}

/** Another process that has a device file open. Best effort, as `findHolder`. */
export async function findOpener(path: string, proc = '/proc'): Promise<Holder | undefined> {
  try {
    const pid = await opener(await realpath(path), proc, process.pid);
    return pid === undefined ? undefined : { pid, program: await programOf(pid, proc), locked: false };
  } catch {
    return undefined;
  }
}

/** For people: `minicom -D (pid 1234)`. */
export const holderName = ({ program, pid }: Holder): string => `${program} (pid ${pid})`;

async function opener(real: string, proc: string, except?: number): Promise<number | undefined> {
  const pids = (await readdir(proc)).filter((name) => /^\d+$/.test(name)).slice(0, MAX_PROCESSES);
  for (const pid of pids) {
    if (Number(pid) === except) continue;
    const folder = join(proc, pid, 'fd');
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      if ((await readlink(join(folder, name)).catch(() => '')) === real) return Number(pid);
    }
  }
  return undefined;
}

async function programOf(pid: number, proc: string): Promise<string> {
  const [program, argument] = (await readFile(join(proc, String(pid), 'cmdline'), 'utf8').catch(() => ''))
    .split('\0')
    .filter((word) => word !== '');
  if (program === undefined) return 'unknown program';
  return [program, argument ?? ''].join(' ').trim().slice(0, 120);
}
