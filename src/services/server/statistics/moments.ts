import { compensatedSum } from './compensated-sum.ts';

export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Sample standard deviation (n - 1); null below two values. */
  readonly standardDeviation: number | null;
  readonly min: number;
  readonly max: number;
}

/**
 * Mean and sample standard deviation in two passes with the correction of the second (Chan, Golub, LeVeque 1983): exact
 * to the rounding of the values themselves, also where all of them share many leading digits.
 * @param values finite
 * @returns undefined without values
 */
export function momentsOf(values: readonly number[]): Moments | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  const count = values.length;
  // Around the first value the sum loses no digits to a common offset.
  const mean = first + compensatedSum(mapped(values, (value) => value - first)) / count;
  const squares = compensatedSum(mapped(values, (value) => (value - mean) ** 2));
  const rest = compensatedSum(mapped(values, (value) => value - mean));
  const variance = Math.max(0, squares - rest ** 2 / count) / (count - 1);
  const { min, max } = rangeOf(values, first);
  return { count, mean, standardDeviation: count > 1 ? Math.sqrt(variance) : null, min, max };
}

function rangeOf(values: readonly number[], first: number): { min: number; max: number } {
  let [min, max] = [first, first];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

function* mapped(values: readonly number[], change: (value: number) => number): Generator<number> {
  for (const value of values) yield change(value);
}
