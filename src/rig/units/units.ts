import { UNIT_ROWS, type Unit } from './unit-table.ts';

export type { Dimension, Unit } from './unit-table.ts';

const exact = new Map<string, Unit>();
const folded = new Map<string, Unit>();
for (const { names, dimension, factor, offset } of UNIT_ROWS) {
  const unit: Unit = { name: names[0]!, dimension, factor, offset };
  for (const name of names) {
    exact.set(name, unit);
    const key = name.toLowerCase();
    if (!folded.has(key)) folded.set(key, unit);
  }
}

/** Canonical spellings of all known units, for suggestions and documentation. */
export const UNIT_NAMES: readonly string[] = UNIT_ROWS.map((entry) => entry.names[0]!);

/**
 * The unit of that name, or undefined. Spelling is exact; other letter case is accepted (`L/min`, `V/v`)
 * except where it would turn mega into milli (`MV`, `Mbar`).
 */
export function findUnit(name: string): Unit | undefined {
  const hit = exact.get(name);
  if (hit) return hit;
  const loose = folded.get(name.toLowerCase());
  if (loose && name.startsWith('M') && loose.name.startsWith('m')) return undefined;
  return loose;
}

/** Canonical spelling of a unit; an unknown one stays as it is. */
export function canonicalUnit(name: string): string {
  return findUnit(name)?.name ?? name;
}

/** True when values in the two units can be compared: same dimension, or the same unknown unit. */
export function comparable(a: string, b: string): boolean {
  if (a === b) return true;
  const left = findUnit(a);
  const right = findUnit(b);
  return left !== undefined && right !== undefined && left.dimension === right.dimension;
}

/**
 * Why two units that look alike are not comparable, with a space in front; empty where nothing is to be said. Litres of
 * gas are a mass only at a temperature and a pressure that the rig does not measure.
 */
export function differenceOf(a: string, b: string): string {
  const dimensions = [a, b].map((unit) => findUnit(unit)?.dimension);
  const isConfusable = dimensions.includes('flow') && dimensions.includes('normal-flow');
  return isConfusable
    ? ' (ln/min is a mass of gas, its litres at 0 °C and 1013.25 hPa; l/min is its volume as it flows)'
    : '';
}

/** Converts a value between units of one dimension; undefined when they are not comparable. */
export function convert(value: number, from: string, to: string): number | undefined {
  if (from === to) return value;
  const source = findUnit(from);
  const target = findUnit(to);
  if (!source || !target || source.dimension !== target.dimension) return undefined;
  if (source.factor === target.factor && source.offset === target.offset) return value;
  return (value * source.factor + source.offset - target.offset) / target.factor;
}

/** Converts a difference: the offset of temperature scales drops out. Undefined when not comparable. */
export function convertDifference(value: number, from: string, to: string): number | undefined {
  if (from === to) return value;
  const source = findUnit(from);
  const target = findUnit(to);
  if (!source || !target || source.dimension !== target.dimension) return undefined;
  return (value * source.factor) / target.factor;
}

/** Relative tolerance of every comparison of quantities. */
export const RELATIVE_TOLERANCE = 1e-9;

/** Equality within {@link RELATIVE_TOLERANCE} of the larger magnitude; infinities equal only themselves. */
export function nearlyEqual(a: number, b: number): boolean {
  if (a === b) return true;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}
