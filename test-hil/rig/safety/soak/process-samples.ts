import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../../src/lib/clock/clock.ts';
import { readProc } from '../../../../src/lib/proc.ts';

/** What a process holds on to at one moment, as the kernel counts it. */
export interface ProcessSample {
  /** Since the begin of the measurement, milliseconds. */
  atMs: number;
  /**
   * Anonymous resident memory after a collection: heap and buffers that are held on to, without the pages of files that are
   * mapped. Between collections a heap may grow to several times its content.
   */
  memoryBytes: number;
  descriptors: number;
  threads: number;
  /** Timers, sockets and requests of its event loop, as its `/metrics` says; undefined where it serves none. */
  resources: number | undefined;
}

export const QUANTITIES = ['memoryBytes', 'descriptors', 'threads', 'resources'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** NODE_OPTIONS of the processes that are sampled. */
export const COLLECTABLE = `--require ${fileURLToPath(new URL('./collect.cjs', import.meta.url))}`;
/** A collection takes some 50 ms, and the pages go back to the system after it. */
const COLLECTED_MS = 500;

/** Collects the garbage of processes that run with {@link COLLECTABLE}. */
export async function collectGarbage(pids: Iterable<number>): Promise<void> {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGUSR2');
    } catch {
      // It has ended, which the sample tells.
    }
  await systemClock.sleep(COLLECTED_MS);
}

/** @returns undefined when the process has ended */
export function sampleProcess(pid: number): Omit<ProcessSample, 'atMs' | 'resources'> | undefined {
  const status = readProc(`/proc/${pid}/status`);
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  try {
    const descriptors = readdirSync(`/proc/${pid}/fd`).length;
    return { memoryBytes: number('RssAnon') * 1024, descriptors, threads: number('Threads') };
  } catch {
    return undefined;
  }
}

/** @returns undefined when the service does not answer, or has no such metric */
export async function activeResources(url: string): Promise<number | undefined> {
  try {
    const text = await (await fetch(`${url}/metrics`)).text();
    const found = /^svc_process_active_resources (\d+)$/m.exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}
