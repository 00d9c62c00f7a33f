import { calibrationStatus } from '../../rig/calibration/calibration-status.ts';
import type { Registry } from '../../rig/registry/registry.ts';

/**
 * What is wrong with the calibrations of sensors, one sentence each: sensor, calibration, date and remedy.
 * @param nowMs wall clock
 */
export function calibrationFaults(sensors: readonly string[], registry: Registry, nowMs: number): string[] {
  return sensors.flatMap((id) => {
    const calibration = registry.sensor(id)?.calibration;
    if (calibration === undefined) return [];
    const { fault } = calibrationStatus(calibration, nowMs);
    return fault === null ? [] : [`the calibration ${calibration.id} of ${id} ${fault}`];
  });
}
