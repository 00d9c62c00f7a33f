import { join } from 'node:path';
import type { Operation } from '../../window/operations/request.ts';
import type { Pair, Size } from './pictures.ts';

export interface LoadJob {
  operation: Operation;
  body: Record<string, unknown>;
}

/** Which operations come together, on pictures of which sizes. */
export interface Mix {
  operations: readonly (Operation | 'broken')[];
  sizes: readonly Size[];
}

export const MIXES: Readonly<Record<string, Mix>> = {
  analyze: { operations: ['analyze'], sizes: ['screen'] },
  compare: { operations: ['compare', 'refresh'], sizes: ['screen'] },
  large: { operations: ['analyze', 'compare', 'refresh', 'broken'], sizes: ['screen', '4k', '12mp'] },
  largest: { operations: ['analyze', 'compare', 'refresh'], sizes: ['50mp'] },
  ocr: { operations: ['detect', 'adopt', 'diagnose'], sizes: ['screen'] },
  all: {
    operations: ['analyze', 'refresh', 'detect', 'compare', 'diagnose', 'adopt', 'broken', 'summary'],
    sizes: ['screen', '4k', '12mp'],
  },
};

/** Programs that the jobs compare with; one of each size and for each job that writes. */
export function programOf(folder: string, size: Size, index: number): string {
  return join(folder, `${size}-${index}.vql.json`);
}

/** The first `count` jobs of a mix, each operation with each size in turn. */
export function jobsOf(
  { operations, sizes }: Mix,
  {
    count,
    folder,
    pairs,
    broken,
  }: { count: number; folder: string; pairs: Map<Size, Pair>; broken: string[] },
): LoadJob[] {
  return Array.from({ length: count }, (_, index) => {
    const size = sizes[Math.floor(index / operations.length) % sizes.length] as Size;
    const operation = operations[index % operations.length] as Operation | 'broken';
    const file = programOf(folder, size, index);
    if (operation === 'broken')
      return { operation: 'analyze', body: { image: broken[index % broken.length], file } };
    // Half in each language: each has data of its own.
    const locale = Math.floor(index / 2) % 2 === 0 ? 'en' : 'pl';
    return { operation, body: { image: pairs.get(size)?.after, file, locale, live: true } };
  });
}
