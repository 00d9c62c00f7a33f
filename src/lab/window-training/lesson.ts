import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Weights } from '../../window/detect/model.ts';
import type { Screen } from '../window-benchmark/truth.ts';
import type { Examples } from './examples.ts';
import { learn } from './learn.ts';
import { Threads } from './threads.ts';

export interface Lesson {
  weights: Weights;
  /** SHA-256 of the pictures and their elements. */
  screens: string;
  count: number;
}

/**
 * Most screens of one family that are learned from: no family shall outweigh the others. Windows of no toolkit are all different, and
 * nothing else has title bars.
 */
const MOST_OF_FAMILY = 3;
const MOST_GENERATED = 25;

/** Those of some screens that are learned from: of each family some, as far apart as they can be. */
export function pupilsOf(screens: readonly Screen[]): Screen[] {
  const families = new Map<string, Screen[]>();
  for (const screen of screens) families.set(screen.family, [...(families.get(screen.family) ?? []), screen]);
  return [...families].flatMap(([family, own]) => {
    const count = Math.min(own.length, family.startsWith('generated') ? MOST_GENERATED : MOST_OF_FAMILY);
    return Array.from(
      { length: count },
      (_, i) => own[Math.floor(((i + 0.5) * own.length) / count)] as Screen,
    );
  });
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
