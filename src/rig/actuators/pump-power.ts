import { convert, findUnit } from '../units/units.ts';

/** Why a pump setpoint is no power; codes are those of the language's diagnostics. */
export type PumpRefusal =
  | { readonly reason: 'bad-value' }
  | { readonly reason: 'percent-out-of-range'; readonly percent: number }
  | { readonly reason: 'flow-over-scale'; readonly lpm: number; readonly fullScaleLpm: number }
  | { readonly reason: 'negative-flow'; readonly amount: number }
  | { readonly reason: 'volume-unit'; readonly unit: string }
  | { readonly reason: 'incompatible-unit'; readonly unit: string };

export type PumpPower =
  | { readonly percent: number; readonly lpm?: number }
  | { readonly refusal: PumpRefusal };

/**
 * Power in percent for a setpoint: flow units over the full scale, `%` or no unit as percent. Outside 0..100 % is
 * refused, never clamped.
 * @param fullScaleLpm flow in l/min at 100 %, above 0
 */
export function pumpPower(value: number, unit: string | undefined, fullScaleLpm: number): PumpPower {
  if (!Number.isFinite(value) || !(fullScaleLpm > 0)) return { refusal: { reason: 'bad-value' } };
  if (value < 0) return { refusal: { reason: 'negative-flow', amount: value } };
  const dimension = unit === undefined ? 'ratio' : findUnit(unit)?.dimension;
  if (unit === undefined || unit === '%') {
    if (value > 100) return { refusal: { reason: 'percent-out-of-range', percent: value } };
    return { percent: value };
  }
  if (dimension === 'volume') return { refusal: { reason: 'volume-unit', unit } };
  const lpm = dimension === 'flow' ? convert(value, unit, 'l/min') : undefined;
  if (lpm === undefined) return { refusal: { reason: 'incompatible-unit', unit } };
  const percent = (lpm / fullScaleLpm) * 100;
  if (percent > 100 * (1 + 1e-9)) return { refusal: { reason: 'flow-over-scale', lpm, fullScaleLpm } };
  return { percent: Math.min(100, percent), lpm };
}
