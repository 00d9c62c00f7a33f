import { applyCalibration, type Calibration } from '../calibration/calibration.ts';
import { convert, nearlyEqual } from '../units/units.ts';
import type { Sensor } from './registry.ts';

/** Between which values a sensor can measure, both ends included. */
export interface MeasurableRange {
  readonly low: number;
  readonly high: number;
}

/**
 * What a sensor can measure, in a unit: its electrical range, and through its calibration what comes out of that.
 * Undefined where it is not known: an uncalibrated unit, an unknown converter.
 */
export function measurableRange(sensor: Sensor, unit: string): MeasurableRange | undefined {
  const { range, calibration } = sensor;
  const own = range && spanIn(range, sensor.unit, unit);
  if (own) return own;
  if (!calibration || convert(0, calibration.unit, unit) === undefined) return undefined;
  const input = range && spanIn(range, sensor.unit, calibration.from ?? 'V');
  const output = outputOf(calibration, input);
  return output && spanIn([output.low, output.high], calibration.unit, unit);
}

/** True when a value lies beyond what can be measured: no reading ever gets there. */
export const isBeyond = (value: number, { low, high }: MeasurableRange): boolean =>
  Number.isFinite(value) &&
  (value < low || value > high) &&
  !nearlyEqual(value, low) &&
  !nearlyEqual(value, high);

function spanIn([a, b]: readonly [number, number], from: string, to: string): MeasurableRange | undefined {
  const low = convert(a, from, to);
  const high = convert(b, from, to);
  return low === undefined || high === undefined ? undefined : { low, high };
}

/** What comes out of a calibration. A table has an end of its own, whatever the converter can. */
function outputOf(calibration: Calibration, input: MeasurableRange | undefined): MeasurableRange | undefined {
  const outputs = inputsOf(calibration, input).map((raw) => applyCalibration(calibration, raw) ?? Number.NaN);
  const known = outputs.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? undefined : { low: Math.min(...known), high: Math.max(...known) };
}

/** The inputs between which the calibration is a straight line. */
function inputsOf(calibration: Calibration, input: MeasurableRange | undefined): number[] {
  const ends = input ? [input.low, input.high] : [];
  if (calibration.kind === 'linear') return ends;
  const raws = calibration.points.map(([raw]) => raw);
  return [...ends, ...raws.filter((raw) => !input || (raw >= input.low && raw <= input.high))];
}
