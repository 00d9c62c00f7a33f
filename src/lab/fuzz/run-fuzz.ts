import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { FuzzJob, FuzzMessage } from './worker.ts';

export interface FuzzReport {
  readonly done: number;
  readonly faults: readonly Extract<FuzzMessage, { type: 'fault' }>[];
  /** Index of the input that never ended. */
  readonly hang: number | undefined;
  /** Heap after collection at a quarter and at the end of the run, bytes. */
  readonly heap: { readonly early: number; readonly late: number };
}

const HANG_MS = 10_000;

/**
 * Runs the fuzzer in a worker, so that an input that never ends is found and named.
 * @param script the worker's bundle
 */
export function runFuzz(script: string, job: Omit<FuzzJob, 'progress'>): Promise<FuzzReport> {
  setFlagsFromString('--expose-gc');
  const progress = new SharedArrayBuffer(4);
  const counter = new Int32Array(progress);
  const faults: Extract<FuzzMessage, { type: 'fault' }>[] = [];
  const memory: number[] = [];
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: { ...job, progress } satisfies FuzzJob });
    let last = 0;
    let since = performance.now();
    const watch = setInterval(() => {
      const now = Atomics.load(counter, 0);
      if (now !== last) {
        last = now;
        since = performance.now();
      } else if (performance.now() - since > HANG_MS) finish(now);
    }, 250);
    const finish = (hang?: number) => {
      clearInterval(watch);
      void worker.terminate().then(() => {
        const early = memory[Math.floor(memory.length / 4)] ?? 0;
        resolve({ done: Atomics.load(counter, 0), faults, hang, heap: { early, late: memory.at(-1) ?? 0 } });
      });
    };
    worker.on('message', (message: FuzzMessage) => {
      if (message.type === 'fault') faults.push(message);
      else if (message.type === 'memory') memory.push(message.usedBytes);
      else finish();
    });
    worker.on('error', (error) => {
      clearInterval(watch);
      reject(error);
    });
  });
}
