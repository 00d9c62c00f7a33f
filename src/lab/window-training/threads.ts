import { Worker } from 'node:worker_threads';
import type { ForestWeights } from '../../window/detect/forest.ts';
import type { Screen } from '../window-benchmark/truth.ts';
import type { BoostJob } from './boost.ts';
import type { Examples } from './examples.ts';

/** What a thread of `thread.ts` does, and what it answers. */
export interface Jobs {
  look: { input: Screen; output: { examples: Examples; digest: string } };
  boost: { input: BoostJob; output: ForestWeights };
}

/**
 * Threads that look at screens and grow forests: what they make does not depend on how many they are. They are built:
 * this file has to lie beside `thread.mjs`.
 */
export class Threads {
  readonly #idle: Worker[] = [];
  readonly #all: Worker[] = [];
  readonly #waiting: ((worker: Worker) => void)[] = [];

  constructor(count: number) {
    for (let i = 0; i < count; i++) {
      const worker = new Worker(new URL('thread.mjs', import.meta.url));
      this.#all.push(worker);
      this.#idle.push(worker);
    }
  }

  async run<K extends keyof Jobs>(kind: K, input: Jobs[K]['input']): Promise<Jobs[K]['output']> {
    const worker =
      this.#idle.pop() ?? (await new Promise<Worker>((resolve) => void this.#waiting.push(resolve)));
    try {
      return await new Promise((resolve, reject) => {
        const fail = (fault: Error): void => reject(fault);
        worker.once('error', fail);
        worker.once('message', (output: Jobs[K]['output']) => {
          worker.off('error', fail);
          resolve(output);
        });
        worker.postMessage({ kind, input });
      });
    } finally {
      const next = this.#waiting.shift();
      if (next) next(worker);
      else this.#idle.push(worker);
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }
}
