import type { Measurement } from '../../../scenario/records/measurements.ts';

type Row = Pick<
  Measurement,
  'key' | 'block' | 'check' | 'sensor' | 'value' | 'unit' | 'low' | 'high' | 'outcome'
>;

/** One measurement in two runs; undefined: that run does not have it. */
export interface ComparedRow<T extends Row = Row> {
  key: string;
  one: T | undefined;
  other: T | undefined;
  /** Both have it, with other limits or another unit. */
  hasOtherLimits: boolean;
  /** `other` less `one` in the unit of both; null where there is no such number. */
  difference: number | null;
}

/**
 * Measurements of two runs side by side, by their keys: in the order of `one`, then what only `other` has. A key that a run has
 * several times, as in a loop, stands for as many rows, the first with the first.
 */
export function comparedRows<T extends Row>(one: readonly T[], other: readonly T[]): ComparedRow<T>[] {
  const [left, right] = [byPlace(one), byPlace(other)];
  const places = [...new Set([...left.keys(), ...right.keys()])];
  return places.map((place) => compared(place, left.get(place), right.get(place)));
}

function byPlace<T extends Row>(rows: readonly T[]): Map<string, T> {
  const seen = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const nth = (seen.get(row.key) ?? 0) + 1;
      seen.set(row.key, nth);
      return [`${nth} ${row.key}`, row];
    }),
  );
}

function compared<T extends Row>(key: string, one: T | undefined, other: T | undefined): ComparedRow<T> {
  if (!one || !other) return { key, one, other, hasOtherLimits: false, difference: null };
  const isSameUnit = one.unit === other.unit;
  const hasOtherLimits = one.low !== other.low || one.high !== other.high || !isSameUnit;
  const areNumbers = typeof one.value === 'number' && typeof other.value === 'number';
  const difference = areNumbers && isSameUnit ? Number(other.value) - Number(one.value) : null;
  return { key, one, other, hasOtherLimits, difference };
}
