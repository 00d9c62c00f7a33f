import type { Random } from '../../lib/random/seeded-random.ts';

export function choice<T>(random: Random, from: readonly [T, ...T[]] | readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

export const between = (random: Random, least: number, most: number): number =>
  least + random() * (most - least);
