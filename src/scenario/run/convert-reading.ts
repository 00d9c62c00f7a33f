import { applyCalibration, type Calibration } from '../../rig/calibration/calibration.ts';
import type { Sensor } from '../../rig/registry/registry.ts';
import { isPureNumber, type Measure } from '../../rig/units/amount.ts';
import { comparable, convert, differenceOf } from '../../rig/units/units.ts';
import { RunFault } from '../rig/fault.ts';
import { amountIn, unitsFault } from './convert-amount.ts';
import { asAmount, type Measured } from './measured.ts';

/** A sensor, and whether its calibration may be used. */
export interface Scale {
  readonly sensor: Sensor;
  /** Why the calibration may not be used now; null when it may. */
  readonly faultOf: (calibration: Calibration) => string | null;
}

/**
 * The reading in the unit that is asked for: within its dimension, or by the calibration of its sensor from the raw
 * value. A value without unit takes the one asked for.
 * @throws RunFault SCN227 no valid calibration, SCN240 other dimension, SCN402 outside the calibration
 */
export function inUnit(
  measured: Measured,
  asked: string | undefined,
  scale: Scale | undefined,
  measure: Measure | undefined = measured.measure,
): Measured {
  const { unit } = measured;
  if (asked === undefined || unit === asked) return measured;
  if (unit === null) {
    if (isPureNumber(asAmount(measured))) throw unitsFault(measured.sensor, 'no unit', asked);
    return { ...measured, unit: asked };
  }
  const value = amountIn(asAmount(measured), asked, measure);
  if (value !== undefined) return { ...measured, value, unit: asked };
  // A difference has no raw value that a calibration could start from.
  if (!scale || measure === 'difference') throw unitsFault(measured.sensor, unit, asked);
  return calibrated(measured, asked, scale);
}

/** True when a unit can be asked of a sensor: its own dimension, or the one of its calibration. */
export const reaches = ({ unit, calibration }: Sensor, asked: string): boolean =>
  comparable(unit, asked) || (calibration !== undefined && comparable(calibration.unit, asked));

function calibrated(measured: Measured, asked: string, { sensor, faultOf }: Scale): Measured {
  const { calibration } = sensor;
  const { raw, rawUnit } = measured;
  if (raw !== null && rawUnit !== null && convert(raw, rawUnit, asked) !== undefined)
    return { ...uncalibrated(measured), value: convert(raw, rawUnit, asked)!, unit: asked };
  const place = placeOf(measured, sensor);
  if (!calibration)
    throw new RunFault('SCN227', noCalibration(place, sensor, rawUnit ?? measured.unit, asked));
  const input = raw === null || rawUnit === null ? undefined : convert(raw, rawUnit, calibration.from ?? 'V');
  if (input === undefined)
    throw new RunFault(
      'SCN227',
      `${place} gave ${rawUnit ?? 'no unit'}, and its calibration ${calibration.id} converts ${calibration.from ?? 'V'} to ${calibration.unit}`,
    );
  const output = applyCalibration(calibration, input);
  if (output === undefined || !Number.isFinite(output))
    throw new RunFault(
      'SCN402',
      `${place}: ${input} ${calibration.from ?? 'V'} is outside the points of its calibration ${calibration.id}`,
      { beyondRange: true },
    );
  const fault = faultOf(calibration);
  if (fault !== null) throw new RunFault('SCN227', `${place}: the calibration ${calibration.id} ${fault}`);
  const value = convert(output, calibration.unit, asked);
  if (value === undefined)
    throw new RunFault(
      'SCN240',
      `${place} is calibrated to ${calibration.unit} by ${calibration.id}, which cannot be compared with ${asked}`,
    );
  return { ...measured, value, unit: asked, calibration: calibration.id };
}

export function noCalibration(
  place: string,
  { id, unit, plugin }: Sensor,
  measured: string | null,
  asked: string,
): string {
  // Only a voltage input takes a calibration.
  const calibrate = plugin === undefined ? `add sensors.${id}.calibration to svc.yaml, or ` : '';
  return `${place} measures ${measured} and has no calibration to ${asked}${differenceOf(measured ?? unit, asked)}; ${calibrate}ask in ${measured ?? unit}`;
}

function uncalibrated({ calibration: _dropped, ...rest }: Measured): Measured {
  return rest;
}

const placeOf = ({ sensor: name }: Measured, sensor: Sensor): string =>
  name === sensor.id ? name : `${name} (${sensor.id})`;
