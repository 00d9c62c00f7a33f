import { parentPort, workerData } from 'node:worker_threads';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { fileLoader } from '../../scenario/syntax/file-loader.ts';
import { readCorpus } from './corpus.ts';
import { fuzzInput } from './mutate.ts';
import { tryInput } from './try-input.ts';

/** What the worker is given. */
export interface FuzzJob {
  readonly count: number;
  readonly seed: number;
  readonly scenarioDir: string;
  /** One 32-bit number: inputs done. The watcher takes a standstill for a hang. */
  readonly progress: SharedArrayBuffer;
}

export type FuzzMessage =
  | {
      readonly type: 'fault';
      readonly index: number;
      readonly stage: string;
      readonly detail: string;
      readonly input: string;
    }
  | { readonly type: 'memory'; readonly index: number; readonly usedBytes: number }
  | { readonly type: 'done' };

const send = (message: FuzzMessage): void => parentPort?.postMessage(message);

/** The input of a number, so that a reported one can be made again. */
export const inputOf = (index: number, seed: number, corpus: readonly string[]): string | Uint8Array =>
  fuzzInput(seededRandom(Math.imul(seed, 1_000_003) + index), corpus);

async function work({ count, seed, scenarioDir, progress }: FuzzJob): Promise<void> {
  const corpus = readCorpus(scenarioDir);
  const loader = fileLoader({ libraryRoot: scenarioDir, topDir: scenarioDir });
  const done = new Int32Array(progress);
  const every = Math.max(1, Math.floor(count / 20));
  for (let index = 0; index < count; index++) {
    const input = inputOf(index, seed, corpus);
    const fault = await tryInput(input, loader);
    if (fault) send({ type: 'fault', index, ...fault, input: String(input) });
    Atomics.store(done, 0, index + 1);
    if (index % every === every - 1) {
      globalThis.gc?.();
      send({ type: 'memory', index: index + 1, usedBytes: process.memoryUsage().heapUsed });
    }
  }
  send({ type: 'done' });
}

if (parentPort) void work(workerData as FuzzJob);
