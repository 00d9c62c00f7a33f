import type { CheckEvent, CheckRow } from '../events/check-rows.ts';
import { shownBeside, shownLimit, shownNumber } from '../values/shown-number.ts';

/** `[0.6, 0.67] V`; an open side is an infinity. */
export const rangeText = (low: number, high: number, unit: string | null | undefined): string =>
  `[${shownLimit(low)}, ${shownLimit(high)}]${unit ? ` ${unit}` : ''}`;

/** Default text of a check. */
export const defaultText = (
  name: string,
  passed: boolean,
  low: number,
  high: number,
  unit: string | null | undefined,
): string => `${name} ${passed ? 'within' : 'outside'} ${rangeText(low, high, unit)}`;

/** A bound as an event tells it: an open side is null. */
export const finiteOrNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** Limits of a check as a person reads them: `0.6 .. 0.67 V`, `>= 6 bar`; empty when it compares no numbers. */
export function limitsText({
  op,
  low,
  high,
  unit,
}: Pick<CheckEvent, 'op' | 'low' | 'high' | 'unit'>): string {
  const tail = unit ? ` ${unit}` : '';
  if (low !== null && high !== null)
    return low === high
      ? `${op} ${shownLimit(low)}${tail}`
      : `${shownLimit(low)} .. ${shownLimit(high)}${tail}`;
  const bound = low ?? high;
  if (bound === null) return '';
  const sign = /^[<>=!]/.test(op) ? op : low === null ? '<=' : '>=';
  return `${sign} ${shownLimit(bound)}${tail}`;
}

type Measured = Pick<CheckEvent, 'actual' | 'low' | 'high' | 'resolution'>;

/** The value that was judged, without its unit; texts and truth values as they are. */
export const actualValueText = ({ actual, low, high, resolution }: Measured): string =>
  typeof actual === 'number' ? shownBeside(actual, [low, high], resolution) : String(actual);

export const actualText = (check: Measured & Pick<CheckEvent, 'unit'>): string =>
  check.actual === null
    ? 'no value'
    : `${actualValueText(check)}${typeof check.actual === 'number' && check.unit ? ` ${check.unit}` : ''}`;

/** `worst of 11 values, at 1.2 s, 3 outside`: how a bound came to its one row. Time since the start of the run. */
export function pointsText({ check, points, failed }: CheckRow): string {
  const outside = failed > 0 ? `, ${failed} outside` : '';
  return `worst of ${points} values, at ${shownNumber(check.t / 1000, 0.001)} s${outside}`;
}

/** Message of a row. */
export const rowMessage = (row: CheckRow): string =>
  row.points === 1 ? row.check.message : `${row.check.message} (${pointsText(row)})`;
