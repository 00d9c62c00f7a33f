import { convert } from '../units/units.ts';

export type LungCommand =
  | { readonly action: 'start'; readonly cycles?: number }
  | { readonly action: 'stop' }
  /** A volume: cycles follow from LUNG_STROKE_VOLUME. */
  | { readonly action: 'volume'; readonly litres: number };

/**
 * `start`, `on` (LUNG_CYCLES), `stop`, `off`, `0`, `n` or `n cycles`, `2 l`.
 * Undefined for anything else (SCN223).
 */
export function lungCommand(
  word: string,
  amount: { readonly value: number; readonly unit?: string } | undefined,
): LungCommand | undefined {
  const plain = word.trim().toLowerCase();
  if (plain === 'start' || plain === 'on') return { action: 'start' };
  if (plain === 'stop' || plain === 'off') return { action: 'stop' };
  if (!amount || !Number.isFinite(amount.value) || amount.value < 0) return undefined;
  const { value, unit } = amount;
  if (unit === undefined || /^cycles?$/i.test(unit)) {
    if (!Number.isInteger(value)) return undefined;
    return value === 0 ? { action: 'stop' } : { action: 'start', cycles: value };
  }
  const litres = convert(value, unit, 'l');
  return litres === undefined ? undefined : { action: 'volume', litres };
}
