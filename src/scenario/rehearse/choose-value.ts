import { convert } from '../../rig/units/units.ts';
import type { ComparisonOperator } from '../program/operand.ts';
import { compare } from '../run/compare.ts';

/** What a chosen reading should satisfy: value `operator` limit. */
export interface Constraint {
  readonly operator: ComparisonOperator;
  readonly value: number;
  /** Absent: the unit that is asked for. */
  readonly unit?: string | undefined;
}

/** In order of weight: a group that cannot be met together with those before it is dropped, the last one first. */
export type ConstraintGroups = readonly (readonly Constraint[])[];

/**
 * A value in `unit` that meets as many groups as possible, the first one first. Constraints in another dimension do not
 * count: they are about another scale of the same sensor.
 */
export function chooseValue(groups: ConstraintGroups, unit: string | undefined): number {
  for (let kept = groups.length; kept > 0; kept--) {
    const value = meetAll(inUnit(groups.slice(0, kept).flat(), unit));
    if (value !== undefined) return value;
  }
  return 1;
}

/** True when the value in `unit` meets all constraints that can be compared with it. */
export const meets = (value: number, unit: string | undefined, groups: ConstraintGroups): boolean =>
  meetsAll(value, inUnit(groups.flat(), unit));

const meetsAll = (value: number, constraints: readonly Constraint[]): boolean =>
  constraints.every((one) => compare(value, one.operator, one.value));

function inUnit(constraints: readonly Constraint[], unit: string | undefined): Constraint[] {
  return constraints.flatMap((one) => {
    if (one.unit === undefined || unit === undefined) return [one];
    const value = convert(one.value, one.unit, unit);
    return value === undefined ? [] : [{ ...one, value }];
  });
}

function meetAll(constraints: readonly Constraint[]): number | undefined {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { operator, value } of constraints) {
    if (operator !== '<' && operator !== '<=' && operator !== '!=') low = Math.max(low, value);
    if (operator !== '>' && operator !== '>=' && operator !== '!=') high = Math.min(high, value);
  }
  return candidates(low, high).find((value) => meetsAll(value, constraints));
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
