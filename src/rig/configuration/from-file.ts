import type { FileConfig } from './file-schema.ts';
import type { InterlockFile } from './interlock-schema.ts';
import {
  type CalibrationEntry,
  DEFAULT_LIMITS,
  type InterlockEntry,
  type Limits,
  type SensorEntry,
} from './types.ts';

/** A sensor of the file as the rest of the house knows it. */
export function sensorEntry({
  calibration,
  resolution,
  range_volts: rangeVolts,
}: FileConfig['sensors'][string]): SensorEntry {
  const converter = {
    ...(resolution === undefined ? {} : { resolution }),
    ...(rangeVolts === undefined ? {} : { rangeVolts }),
  };
  if (!calibration) return converter;
  const {
    calibrated_at: calibratedAt,
    due_at: dueAt,
    confirmed_at: confirmedAt,
    confirmed_by: confirmedBy,
    ...rest
  } = calibration;
  const entry = {
    ...rest,
    ...(calibratedAt === undefined ? {} : { calibratedAt }),
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(confirmedAt === undefined ? {} : { confirmedAt }),
    ...(confirmedBy === undefined ? {} : { confirmedBy }),
  };
  return { ...converter, calibration: entry as CalibrationEntry };
}

export function limitsOf({ pump, lung, run }: FileConfig['limits']): Limits {
  return {
    pumpMaxPct: pump.max_power_pct ?? DEFAULT_LIMITS.pumpMaxPct,
    pumpMaxHoldS: pump.max_hold_s ?? DEFAULT_LIMITS.pumpMaxHoldS,
    lungMaxSteps: lung.max_steps ?? DEFAULT_LIMITS.lungMaxSteps,
    lungMaxSpeed: lung.max_speed ?? DEFAULT_LIMITS.lungMaxSpeed,
    lungMaxCycles: lung.max_cycles ?? DEFAULT_LIMITS.lungMaxCycles,
    runMaxS: run.max_duration_s ?? DEFAULT_LIMITS.runMaxS,
  };
}

export function interlockEntry(rule: InterlockFile): InterlockEntry {
  const { id, reason, while: condition, require_any: any, require_all: all } = rule;
  // The schema lets exactly one of the two pass.
  return { id, reason, while: condition, require: all ? 'all' : 'any', states: all ?? any ?? {} };
}
