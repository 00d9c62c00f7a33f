import { readdirSync } from 'node:fs';
import { readProc } from '../../../../src/lib/proc.ts';

/** What a process holds on to at one moment, as the kernel counts it. */
export interface ProcessSample {
  /** Since the begin of the measurement, milliseconds. */
  atMs: number;
  /** Anonymous resident memory: heap and buffers, without the pages of files that are mapped. */
  memoryBytes: number;
  descriptors: number;
  threads: number;
  /** Timers, sockets and requests of its event loop, as its `/metrics` says; undefined where it serves none. */
  resources: number | undefined;
}

export const QUANTITIES = ['memoryBytes', 'descriptors', 'threads', 'resources'] as const;
export type Quantity = (typeof QUANTITIES)[number];

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
