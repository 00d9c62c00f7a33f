import { momentsOf } from './moments.ts';
import { withinSigmaOf } from './moving-range.ts';

/** Values that the control limits are made from, unless a frozen period is given. */
export const BASE_COUNT = 20;

/** Of a chart of individual values. They are made from the process, never from the limits of the test. */
export interface ControlLimits {
  readonly mean: number;
  /** Mean moving range / 1.128. */
  readonly sigma: number;
  /** Mean - 3 sigma. */
  readonly low: number;
  /** Mean + 3 sigma. */
  readonly high: number;
  /** Number of values that they are made from. */
  readonly based_on: number;
}

/** @returns undefined below 20 values, or where these do not differ: such limits would make every later value a signal */
export function controlLimitsOf(values: readonly number[]): ControlLimits | undefined {
  const moments = momentsOf(values);
  const sigma = withinSigmaOf(values)?.sigma ?? 0;
  if (!moments || moments.count < BASE_COUNT || sigma === 0) return undefined;
  const { mean, count } = moments;
  return { mean, sigma, low: mean - 3 * sigma, high: mean + 3 * sigma, based_on: count };
}
