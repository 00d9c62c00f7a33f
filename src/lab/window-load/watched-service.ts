import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Clock } from '../../lib/clock/clock.ts';
import { endWithThisProcess } from '../../test-kit/end-with-parent.ts';

const SAMPLE_MS = 20;
const BYTES = 1024;

/** A service in a process of its own, whose memory is watched. */
export interface WatchedService {
  url: string;
  /** Resident memory now, MB of 1024 x 1024 bytes; all threads of the process. */
  residentMb(): number;
  /** The kernel's own peak since the last `forget`, MB. */
  peakMb(): number;
  /** The largest of the samples since the last `forget`, MB. */
  sampledPeakMb(): number;
  forget(): void;
  stop(): Promise<void>;
}

/** @throws Error when it ends without saying that it is ready */
export async function startWatched(
  bundle: string,
  env: Record<string, string>,
  clock: Clock,
): Promise<WatchedService> {
  const child = spawn(process.execPath, [bundle, 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH ?? '', ...endWithThisProcess(), ...env },
  });
  // Also when this program dies of an error: nothing of it stays behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const said = JSON.parse(line) as { ready?: boolean; url?: string };
      if (said.ready && said.url !== undefined) resolve(said.url);
    });
    child.once('close', () => reject(new Error(`${bundle} ended without saying that it is ready`)));
  });
  const status = (field: string) => {
    const text = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) / BYTES;
  };
  let sampled = 0;
  let cancel = () => {};
  const sample = () => {
    sampled = Math.max(sampled, status('VmRSS'));
    cancel = clock.after(SAMPLE_MS, sample);
  };
  sample();
  child.once('exit', () => cancel());
  return {
    url,
    residentMb: () => status('VmRSS'),
    peakMb: () => status('VmHWM'),
    sampledPeakMb: () => sampled,
    forget: () => {
      sampled = 0;
      // proc(5): resets the peak resident set size.
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
    },
    stop: async () => {
      cancel();
      child.kill('SIGTERM');
      await closed;
    },
  };
}
