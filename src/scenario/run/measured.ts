import type { Reading } from '../events/event.ts';

/** A reading at work: what the event tells, and what conversions need. */
export interface Measured extends Omit<Reading, 'rawUnit' | 'bench'> {
  /** Identity of the sensor, variable or timer. */
  readonly key: string;
  readonly rawUnit: string | null;
  readonly bench: boolean;
  /** Dry-run: the value was chosen. */
  readonly free: boolean;
  /** Dry-run: no value meets the check at hand and the bounds. */
  readonly contradiction: boolean;
}

/** The public members of a reading. */
export function readingOf(measured: Measured): Reading {
  const { sensor, value, unit, raw, rawUnit, at, ageMs, source, simulated, bench, calibration } = measured;
  return {
    sensor,
    value,
    unit,
    raw,
    rawUnit,
    at,
    ageMs,
    source,
    simulated,
    ...(bench ? { bench } : {}),
    ...calibrationMember({ calibration }),
  };
}

/** Identity of the calibration that made a value, where one did. */
export const calibrationMember = ({
  calibration,
}: {
  calibration?: string | undefined;
}): { calibration?: string } => (calibration === undefined ? {} : { calibration });
