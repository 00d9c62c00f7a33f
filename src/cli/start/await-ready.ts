import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import type { RuntimeFolder } from './runtime-folder.ts';
import { startError } from './start-error.ts';

/** What a service says when it can be used. */
export interface Ready {
  /** Undefined for a service that listens on no port. */
  url: string | undefined;
  pid: number;
}

/** A service on a port. */
export interface Listening extends Ready {
  url: string;
}

const POLL_MS = 50;
const LAST_LINES = 12;

/**
 * Waits for the line on standard output with which a service says that it is ready.
 * @throws CliError `service_ended`, `service_not_ready`, with the last lines of its log; the signal's reason
 */
export async function awaitReady(
  name: string,
  folder: RuntimeFolder,
  { limitMs, clock, signal }: { limitMs: number; clock: Clock; signal: AbortSignal },
): Promise<Ready> {
  const until = clock.monotonic() + limitMs;
  const firstPid = pidOf(name, folder);
  for (;;) {
    const ready = readyOf(name, folder);
    if (ready) return ready;
    // PM2 takes its pid file away when the program ends, and writes a new one when it starts it again.
    if (pidOf(name, folder) === undefined || pidOf(name, folder) !== firstPid)
      throw startError('service_ended', `${name} ended before it was ready${lastLines(name, folder)}`);
    if (clock.monotonic() >= until) {
      const message = `${name} was not ready within ${limitMs / 1000} s${lastLines(name, folder)}`;
      throw startError('service_not_ready', message);
    }
    await clock.sleep(POLL_MS, signal);
  }
}

/** The last line in which a service has said that it is ready, perhaps before it was started again. */
export const readyOf = (name: string, { logs }: RuntimeFolder): Ready | undefined =>
  readyLine(read(join(logs, `${name}.out.log`)));

function readyLine(log: string): Ready | undefined {
  for (const line of log.split('\n').reverse()) {
    if (!line.startsWith('{')) continue;
    try {
      const { ready, url, pid } = JSON.parse(line) as Record<string, unknown>;
      if (ready === true && typeof pid === 'number')
        return { url: typeof url === 'string' ? url : undefined, pid };
    } catch {
      // Half a line; the rest comes.
    }
  }
  return undefined;
}

/** What PM2's pid file of a service says; undefined while the service does not run. */
export function pidOf(name: string, { pm2 }: RuntimeFolder): string | undefined {
  const folder = join(pm2, 'pids');
  const file = readdirSync(folder).find((entry) => new RegExp(`^${name}-\\d+\\.pid$`).test(entry));
  return file === undefined ? undefined : read(join(folder, file)) || undefined;
}

/** The last lines of a service's log, as the end of a sentence. */
export function lastLines(name: string, { logs }: RuntimeFolder): string {
  const lines = ['out', 'err'].flatMap((stream) => read(join(logs, `${name}.${stream}.log`)).split('\n'));
  const last = lines.filter((line) => line.trim() !== '').slice(-LAST_LINES);
  if (last.length === 0) return ' and said nothing';
  return `; its last lines:\n${last.map((line) => `    ${line}`).join('\n')}`;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
