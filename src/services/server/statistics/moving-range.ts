import { compensatedSum } from './compensated-sum.ts';

/** Mean range of two values of a normal distribution in units of its standard deviation: 2 / sqrt(pi). */
const D2 = 1.128;

export interface WithinSigma {
  /** Mean moving range of two successive values divided by d2. */
  readonly sigma: number;
  /** Effective degrees of freedom of that estimate. */
  readonly degreesOfFreedom: number;
}

/**
 * Short-term standard deviation of a series in time order, by the mean moving range. The degrees of freedom follow from
 * the variance of the estimate, (0.8264 n - 1.082) / (n - 1)^2 times sigma squared (Cryer and Ryan 1990).
 * @returns undefined below two values
 */
export function withinSigmaOf(values: readonly number[]): WithinSigma | undefined {
  const n = values.length;
  if (n < 2) return undefined;
  const ranges = values.slice(1).map((value, at) => Math.abs(value - (values[at] ?? value)));
  return {
    sigma: compensatedSum(ranges) / (n - 1) / D2,
    degreesOfFreedom: (n - 1) ** 2 / (2 * (0.8264 * n - 1.082)),
  };
}
