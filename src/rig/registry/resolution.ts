import type { Calibration } from '../calibration/calibration.ts';
import { convertDifference } from '../units/units.ts';
import type { Sensor } from './registry.ts';

/**
 * Smallest difference that a sensor can show, in the unit given: that of its own unit, through the slope of its
 * calibration for the calibrated one; the finest slope of a table. Undefined when it is not known.
 */
export function resolutionIn(
  { unit: own, resolution, calibration }: Sensor,
  unit: string,
): number | undefined {
  if (resolution === undefined) return undefined;
  const plain = convertDifference(resolution, own, unit);
  if (plain !== undefined) return plain;
  if (!calibration) return undefined;
  const input = convertDifference(resolution, own, calibration.from ?? 'V');
  const slope = finestSlope(calibration);
  if (input === undefined || slope === undefined) return undefined;
  return convertDifference(input * slope, calibration.unit, unit);
}

function finestSlope(calibration: Calibration): number | undefined {
  if (calibration.kind === 'linear') return Math.abs(calibration.scale) || undefined;
  const { points } = calibration;
  const slopes = points.slice(1).flatMap(([x, y], i) => {
    const [x0, y0] = points[i]!;
    return x > x0 && y !== y0 ? [Math.abs((y - y0) / (x - x0))] : [];
  });
  return slopes.length === 0 ? undefined : Math.min(...slopes);
}
