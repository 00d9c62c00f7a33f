import type { Peripheral, Sensor } from '../../rig/registry/registry.ts';
import { formatNumber } from '../values/number.ts';

/** `nc-sensor, V, calibrated to mbar (cal-1)` */
export function sensorText({ id, unit, calibration }: Sensor): string {
  return `${id}, ${unit}, ${calibration ? `calibrated to ${calibration.unit} (${calibration.id})` : 'no calibration'}`;
}

/** What is known about a sensor, a sentence each. */
export function sensorSentences({ id, unit, range, calibration }: Sensor): string[] {
  return [
    `Sensor ${id}, read in ${unit}.`,
    ...(range ? [`It measures ${formatNumber(range[0])} .. ${formatNumber(range[1])} ${unit}.`] : []),
    calibration
      ? `Calibration ${calibration.id} gives ${calibration.unit}${calibration.dueAt ? `; due ${calibration.dueAt}` : ''}.`
      : `It has no calibration: limits must be in ${unit}.`,
  ];
}

export const peripheralSentences = ({ id, kind, safeValue, fullScaleLpm }: Peripheral): string[] => [
  `Actuator ${id} (${kind}).`,
  ...(fullScaleLpm === undefined ? [] : [`100 % is ${formatNumber(fullScaleLpm)} l/min.`]),
  ...(kind === 'valve' ? [`The safe state ${safeValue ? 'opens' : 'closes'} it.`] : []),
];
