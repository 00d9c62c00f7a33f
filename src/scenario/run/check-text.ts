import { formatNumber } from '../values/number.ts';

/** `[0.6, 0.67] V`; an open side is an infinity. */
export function rangeText(low: number, high: number, unit: string | null | undefined): string {
  const side = (value: number) =>
    value === Number.POSITIVE_INFINITY
      ? '∞'
      : value === Number.NEGATIVE_INFINITY
        ? '-∞'
        : formatNumber(value);
  return `[${side(low)}, ${side(high)}]${unit ? ` ${unit}` : ''}`;
}

/** Default text of a check (language specification, section 6.3). */
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
