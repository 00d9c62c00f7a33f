import { convert, nearlyEqual } from '../../../rig/units/units.ts';
import type { Wish, Wishes } from '../rig.ts';

/** A value that meets the wishes, and whether some had to be dropped. */
export interface Choice {
  readonly value: number;
  readonly contradiction: boolean;
}

/**
 * A value in `unit` that meets as many groups of wishes as possible, the first group first. Wishes of another
 * dimension do not count here: they are about another scale of the same sensor.
 */
export function chooseValue(wishes: Wishes, unit: string | null): Choice {
  for (let kept = wishes.length; kept > 0; kept--) {
    const value = meetAll(wishes.slice(0, kept).flat(), unit);
    if (value !== undefined) return { value, contradiction: kept < wishes.length };
  }
  return { value: 1, contradiction: wishes.some((group) => group.length > 0) };
}

/** True when the value in `unit` meets all wishes that can be compared with it. */
export const meets = (value: number, unit: string | null, wishes: Wishes): boolean =>
  inUnit(wishes.flat(), unit).every((wish) => holds(value, wish));

function inUnit(wishes: readonly Wish[], unit: string | null): Wish[] {
  return wishes.flatMap((wish) => {
    if (wish.unit === undefined || unit === null) return [wish];
    const value = convert(wish.value, wish.unit, unit);
    return value === undefined ? [] : [{ ...wish, value }];
  });
}

function meetAll(wishes: readonly Wish[], unit: string | null): number | undefined {
  const usable = inUnit(wishes, unit);
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { operator, value } of usable) {
    if (operator !== '<' && operator !== '<=' && operator !== '!=') low = Math.max(low, value);
    if (operator !== '>' && operator !== '>=' && operator !== '!=') high = Math.min(high, value);
  }
  return candidates(low, high).find((value) => usable.every((wish) => holds(value, wish)));
}

function candidates(low: number, high: number): number[] {
  if (Number.isFinite(low) && Number.isFinite(high))
    return [tidy((low + high) / 2), (low + high) / 2, low + (high - low) / 4, low, high];
  if (Number.isFinite(low)) return [tidy(low + margin(low)), low + 2 * margin(low), low];
  if (Number.isFinite(high)) return [tidy(high - margin(high)), high - 2 * margin(high), high];
  return [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
}

const margin = (limit: number): number => (limit === 0 ? 1 : Math.abs(limit) / 10);

/** Without the last digits that binary fractions leave behind. */
const tidy = (value: number): number => Number(value.toPrecision(12));

function holds(value: number, { operator, value: limit }: Wish): boolean {
  const equal = nearlyEqual(value, limit);
  switch (operator) {
    case '<':
      return value < limit && !equal;
    case '<=':
      return value <= limit || equal;
    case '>':
      return value > limit && !equal;
    case '>=':
      return value >= limit || equal;
    case '=':
      return equal;
    case '!=':
      return !equal;
  }
}
