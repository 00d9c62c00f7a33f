import type { Limits } from './limits.ts';
import type { Moments } from './moments.ts';
import type { WithinSigma } from './moving-range.ts';
import { Z_95 } from './student-t.ts';

/** Below this number of values an index says little; it is given with a caution. */
export const CAUTION_BELOW = 30;

/** A capability index with its 95 % interval. */
export interface CapabilityIndex {
  readonly value: number;
  readonly low95: number;
  readonly high95: number;
}

export interface Capability {
  /** Which limits there are; with one of them, Cpk and Ppk are the index of that side and there is no Cp and no Pp. */
  readonly sides: 'both' | 'low' | 'high';
  /** Short-term, with sigma from the mean moving range. Null without both limits. */
  readonly cp: number | null;
  readonly cpk: CapabilityIndex;
  readonly sigma_within: number;
  /** Overall, with the sample standard deviation. Null without both limits. */
  readonly pp: number | null;
  readonly ppk: CapabilityIndex;
  /** The indices rest on fewer than 30 values. */
  readonly caution: boolean;
}

/** Why there is no index. */
export type NoCapability = 'no_limits' | 'too_few_values' | 'no_spread';

/**
 * Capability of values judged by one pair of limits. An index needs two values, a limit, and a spread above zero: without
 * one of these the answer is the reason, never a number.
 * @param withinSigma of the values in time order
 */
export function capabilityOf(
  moments: Moments,
  withinSigma: WithinSigma | undefined,
  limits: Limits,
): Capability | NoCapability {
  const { count, mean, standardDeviation } = moments;
  const sides = sidesOf(limits);
  if (!sides) return 'no_limits';
  if (standardDeviation === null || !withinSigma) return 'too_few_values';
  if (standardDeviation === 0 || withinSigma.sigma === 0) return 'no_spread';
  return {
    sides,
    cp: spanIndex(limits, withinSigma.sigma),
    cpk: nearestIndex(limits, mean, withinSigma.sigma, count, withinSigma.degreesOfFreedom),
    sigma_within: withinSigma.sigma,
    pp: spanIndex(limits, standardDeviation),
    ppk: nearestIndex(limits, mean, standardDeviation, count, count - 1),
    caution: count < CAUTION_BELOW,
  };
}

function sidesOf({ low, high }: Limits): Capability['sides'] | undefined {
  if (low !== null && high !== null) return 'both';
  if (low !== null) return 'low';
  return high === null ? undefined : 'high';
}

const spanIndex = ({ low, high }: Limits, sigma: number): number | null =>
  low === null || high === null ? null : (high - low) / (6 * sigma);

/** The smaller of the indices of both sides; its interval is Bissell's approximation (1990). */
function nearestIndex(
  { low, high }: Limits,
  mean: number,
  sigma: number,
  count: number,
  degreesOfFreedom: number,
): CapabilityIndex {
  const lower = low === null ? Number.POSITIVE_INFINITY : (mean - low) / (3 * sigma);
  const upper = high === null ? Number.POSITIVE_INFINITY : (high - mean) / (3 * sigma);
  const value = Math.min(lower, upper);
  const margin = Z_95 * Math.sqrt(1 / (9 * count) + value ** 2 / (2 * degreesOfFreedom));
  return { value, low95: value - margin, high95: value + margin };
}
