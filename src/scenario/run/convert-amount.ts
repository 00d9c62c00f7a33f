import { type Amount, commonMeasure, convertAs, isPureNumber, type Measure } from '../../rig/units/amount.ts';
import { comparable, differenceOf, findUnit } from '../../rig/units/units.ts';
import { RunFault } from '../rig/fault.ts';

/** An amount of a run, which may know how to get to another dimension. */
export interface RunAmount extends Amount {
  /**
   * The value in a unit of another dimension, where a calibration leads to it: computed anew from the raw values.
   * @throws RunFault SCN227, SCN240, SCN402
   */
  readonly recompute?: ((unit: string) => number) | undefined;
}

/**
 * The number in a unit: within its dimension, or by the calibration of the sensor it comes from. A number without unit
 * takes the one asked for, a ratio or a count takes none.
 * @param measure what it stands for here
 * @returns undefined when nothing leads to the unit
 */
export function amountIn(amount: RunAmount, unit: string, measure = amount.measure): number | undefined {
  const { value, unit: from, recompute } = amount;
  if (isPureNumber(amount)) return undefined;
  if (from === undefined || from === unit || !Number.isFinite(value)) return value;
  return convertAs(value, from, unit, measure) ?? recompute?.(unit);
}

/** What two amounts stand for when they are compared. @throws RunFault SCN240 for a temperature and a difference */
export function measureTogether(amounts: readonly Amount[]): Measure | undefined {
  const measure = commonMeasure(amounts);
  if (measure !== 'conflict') return measure;
  throw new RunFault(
    'SCN240',
    'a temperature cannot be compared with a temperature difference; compare differences (.delta, CALC SUB)',
  );
}

export function unitsFault(what: string, from: string, asked: string): RunFault {
  const kinds = [from, asked].map((unit) => findUnit(unit)?.dimension ?? 'unknown unit');
  return new RunFault(
    'SCN240',
    `${what} is in ${from} and cannot be compared with ${asked} (${kinds[0]} and ${kinds[1]})${differenceOf(from, asked)}`,
  );
}

/** Bounds of one statement measure one thing. @throws RunFault SCN240 */
export function requireOneDimension(...bounds: readonly (Amount | undefined)[]): void {
  const [first, ...rest] = bounds.flatMap((bound) => bound?.unit ?? []);
  const other = rest.find((unit) => first !== undefined && !comparable(first, unit));
  if (first !== undefined && other !== undefined) throw unitsFault('one bound', first, other);
}
