import { convert } from '../../rig/units/units.ts';
import type { ComparisonOperator } from '../program/operand.ts';
import { compare } from '../run/compare.ts';

/** What a chosen reading should satisfy: value `operator` limit. */
export interface Wish {
  readonly operator: ComparisonOperator;
  readonly value: number;
  /** Absent: the unit that is asked for. */
  readonly unit?: string | undefined;
}

/** Wishes in order of weight: what cannot be met together with those before is dropped, last first. */
export type Wishes = readonly (readonly Wish[])[];

/**
 * A value in `unit` that meets as many groups of wishes as possible, the first group first. Wishes of another
 * dimension do not count here: they are about another scale of the same sensor.
 */
export function chooseValue(wishes: Wishes, unit: string | undefined): number {
  for (let kept = wishes.length; kept > 0; kept--) {
    const value = meetAll(inUnit(wishes.slice(0, kept).flat(), unit));
    if (value !== undefined) return value;
  }
  return 1;
}

/** True when the value in `unit` meets all wishes that can be compared with it. */
export const meets = (value: number, unit: string | undefined, wishes: Wishes): boolean =>
  inUnit(wishes.flat(), unit).every((wish) => compare(value, wish.operator, wish.value));

function inUnit(wishes: readonly Wish[], unit: string | undefined): Wish[] {
  return wishes.flatMap((wish) => {
    if (wish.unit === undefined || unit === undefined) return [wish];
    const value = convert(wish.value, wish.unit, unit);
    return value === undefined ? [] : [{ ...wish, value }];
  });
}

function meetAll(wishes: readonly Wish[]): number | undefined {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { operator, value } of wishes) {
    if (operator !== '<' && operator !== '<=' && operator !== '!=') low = Math.max(low, value);
    if (operator !== '>' && operator !== '>=' && operator !== '!=') high = Math.min(high, value);
  }
  return candidates(low, high).find((value) =>
    wishes.every((wish) => compare(value, wish.operator, wish.value)),
  );
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
export const tidy = (value: number): number => Number(value.toPrecision(12));
