import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Weights } from '../../window/detect/model.ts';
import type { Screen } from '../window-benchmark/truth.ts';
import type { Examples } from './examples.ts';
import { learn } from './learn.ts';
import { pupilsOf } from './pupils.ts';
import { Threads } from './threads.ts';

export interface Lesson {
  weights: Weights;
  /** SHA-256 of the pictures and their elements. */
  screens: string;
  count: number;
}

/** Learns from known screens. The same screens, seed and rounds give the same weights, byte for byte. */
export async function lesson(
  screens: readonly Screen[],
  { seed, rounds, say }: { seed: number; rounds: number; say: (what: string) => void },
): Promise<Lesson> {
  const pupils = pupilsOf(screens);
  const threads = new Threads(Math.max(2, availableParallelism()) * 2);
  try {
    let done = 0;
    const looks = await Promise.all(
      pupils.map(async (screen) => {
        const look = await threads.run('look', screen);
        if (++done % 50 === 0) say(`${done} of ${pupils.length} screens`);
        return look;
      }),
    );
    const hash = createHash('sha256');
    for (const { digest } of looks) hash.update(digest);
    const examples: Examples[] = looks.map((look) => look.examples);
    const weights = await learn(examples, {
      seed,
      rounds,
      grow: async (job) => {
        const forest = await threads.run('boost', job);
        say(`a forest of ${forest.trees.length} trees from ${job.weights.length} candidates`);
        return forest;
      },
    });
    return { weights, screens: hash.digest('hex'), count: pupils.length };
  } finally {
    await threads.end();
  }
}
