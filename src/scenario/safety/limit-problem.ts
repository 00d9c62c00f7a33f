import { formatNumber } from '../values/number.ts';
import type { Problem } from './effect.ts';

const TOLERANCE = 1e-9;

interface Limited {
  /** For example `the power of pump`. */
  readonly what: string;
  /** With its blank. */
  readonly unit: string;
  readonly limit: number;
  /** Name below `limits` in svc.yaml. */
  readonly key: string;
  /** How a number that is known only when it runs is bounded. */
  readonly remedy: string;
}

/** The finding about a setpoint whose largest values are `highs`; undefined when all lie within the limit. */
export function limitProblem(
  { what, unit, limit, key, remedy }: Limited,
  highs: readonly number[],
): Problem | undefined {
  const high = Math.max(...highs, 0);
  const allowed = `limits.${key} in svc.yaml allows ${formatNumber(limit)}${unit}`;
  if (high === Number.POSITIVE_INFINITY)
    return {
      code: 'SCN275',
      message: `${what} is known only at run time and has no upper bound, while ${allowed}; add one, for example ${remedy}`,
    };
  if (high <= limit * (1 + TOLERANCE)) return undefined;
  const shown = formatNumber(Number(high.toPrecision(6)));
  return {
    code: 'SCN274',
    message: `${what} may be ${shown}${unit}, while ${allowed}; lower it`,
  };
}
