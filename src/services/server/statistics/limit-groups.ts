import { type Capability, capabilityOf, type NoCapability } from './capability.ts';
import { type Limits, sameLimits } from './limits.ts';
import { momentsOf } from './moments.ts';
import { withinSigmaOf } from './moving-range.ts';

/** A value with the limits of its time. */
export interface LimitedValue extends Limits {
  readonly value: number;
  readonly atMs: number;
}

/** Values judged by the same limits, and their capability. There is no index across changed limits. */
export interface LimitGroup extends Limits {
  /** ISO times of its first and its last value. */
  readonly since: string;
  readonly until: string;
  readonly count: number;
  readonly mean: number;
  readonly standard_deviation: number | null;
  readonly capability: Capability | null;
  /** Why there is no capability; null where there is one. */
  readonly no_capability: NoCapability | null;
}

/** @param values in time order @returns one group for each pair of limits, by its first use */
export function limitGroupsOf(values: readonly LimitedValue[]): LimitGroup[] {
  const groups = new Map<string, LimitedValue[]>();
  let last: LimitedValue[] | undefined;
  for (const value of values) {
    // Mostly they are those of the value before, and a name made of numbers takes time.
    if (!last?.[0] || !sameLimits(last[0], value)) {
      const name = `${value.low} ${value.high}`;
      last = groups.get(name) ?? [];
      groups.set(name, last);
    }
    last.push(value);
  }
  return [...groups.values()].flatMap((group) => groupOf(group) ?? []);
}

function groupOf(group: readonly LimitedValue[]): LimitGroup | undefined {
  const [first, last] = [group[0], group.at(-1)];
  const values = group.map(({ value }) => value);
  const moments = momentsOf(values);
  if (!first || !last || !moments) return undefined;
  const { low, high } = first;
  const found = capabilityOf(moments, withinSigmaOf(values), { low, high });
  return {
    ...{ low, high },
    since: isoTime(first.atMs),
    until: isoTime(last.atMs),
    count: moments.count,
    mean: moments.mean,
    standard_deviation: moments.standardDeviation,
    capability: typeof found === 'string' ? null : found,
    no_capability: typeof found === 'string' ? found : null,
  };
}

export const isoTime = (ms: number): string => new Date(ms).toISOString();
