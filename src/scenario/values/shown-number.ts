import { nearlyEqual } from '../../rig/units/units.ts';
import { formatNumber } from './number.ts';

/** Digits of a number whose sensor has no known resolution. */
const SIGNIFICANT_DIGITS = 6;
/** Digits of a limit: all that a scenario writes, and less than what a conversion adds as binary noise. */
const LIMIT_DIGITS = 12;
const MOST_DECIMALS = 20;

const decimalsFor = (resolution: number): number => Math.max(0, Math.ceil(-Math.log10(resolution) - 1e-9));

function decimalsOf(value: number, resolution: number | undefined): number {
  if (resolution !== undefined && resolution > 0) return Math.min(MOST_DECIMALS, decimalsFor(resolution));
  if (value === 0 || Number.isInteger(value)) return 0;
  return Math.min(
    MOST_DECIMALS,
    Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)))),
  );
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/**
 * A measured or calculated number as people read it (LANG-082): with the decimals of the resolution of its sensor,
 * without one with six significant digits; whole numbers keep all their digits.
 * @param resolution in the unit of the value
 */
export function shownNumber(value: number, resolution?: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '-∞' : 'no number';
  return formatNumber(rounded(value, decimalsOf(value, resolution)));
}

/** A limit as it is applied. */
export const shownLimit = (value: number): string =>
  Number.isFinite(value) ? formatNumber(limitOf(value)) : shownNumber(value);

const limitOf = (limit: number): number => Number(limit.toPrecision(LIMIT_DIGITS));

/** -1, 0 or 1, with the tolerance that checks have. */
const order = (a: number, b: number): number => (nearlyEqual(a, b) ? 0 : Math.sign(a - b));

/**
 * A value that was compared with limits: with so many more digits that it stands on the same side of each of them as
 * the value that was judged. 400.04 beside a limit of 400 never reads 400.
 */
export function shownBeside(
  value: number,
  limits: readonly (number | null | undefined)[],
  resolution?: number,
): string {
  if (!Number.isFinite(value)) return shownNumber(value);
  const finite = limits.filter((one): one is number => typeof one === 'number' && Number.isFinite(one));
  for (let decimals = decimalsOf(value, resolution); decimals <= MOST_DECIMALS; decimals++) {
    const shown = rounded(value, decimals);
    if (finite.every((limit) => order(shown, limitOf(limit)) === order(value, limit)))
      return formatNumber(shown);
  }
  return formatNumber(value);
}
