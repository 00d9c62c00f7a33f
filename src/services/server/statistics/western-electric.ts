import type { ControlLimits } from './control-limits.ts';

/** Western Electric rules, by their numbers in the handbook of 1956. */
export type WesternElectricRule = 1 | 2 | 3 | 4;

interface Zone {
  rule: WesternElectricRule;
  /** So many points ... */
  hits: number;
  /** ... of so many in a row ... */
  of: number;
  /** ... lie on one side, further from the mean than so many sigma. */
  sigmas: number;
}

const ZONES: readonly Zone[] = [
  { rule: 1, hits: 1, of: 1, sigmas: 3 },
  { rule: 2, hits: 2, of: 3, sigmas: 2 },
  { rule: 3, hits: 4, of: 5, sigmas: 1 },
  { rule: 4, hits: 8, of: 8, sigmas: 0 },
];

/**
 * The rules that each value of a series in time order breaks. A rule is marked at the value that completes its pattern,
 * which lies in the pattern's zone itself.
 * @returns one list for each value, empty where no rule is broken
 */
export function brokenRules(
  values: readonly number[],
  { mean, sigma }: Pick<ControlLimits, 'mean' | 'sigma'>,
): WesternElectricRule[][] {
  const distances = values.map((value) => (value - mean) / sigma);
  return distances.map((distance, at) => {
    const side = Math.sign(distance);
    const isBeyond = (from: number, sigmas: number) => side * (distances[from] ?? 0) > sigmas;
    return ZONES.filter(({ hits, of, sigmas }) => {
      if (!isBeyond(at, sigmas)) return false;
      let found = 0;
      for (let from = Math.max(0, at - of + 1); from <= at; from++) if (isBeyond(from, sigmas)) found++;
      return found >= hits;
    }).map(({ rule }) => rule);
  });
}
