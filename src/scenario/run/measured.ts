import type { Measure } from '../../rig/units/amount.ts';
import type { Reading } from '../events/event.ts';
import type { Conversion } from '../rig/conversion.ts';
import type { RunAmount } from './convert-amount.ts';

/** A reading at work: what the event reports, and what conversions need. */
export interface Measured extends Omit<Reading, 'rawUnit' | 'bench'> {
  /** Identity of the sensor, variable or timer. */
  readonly key: string;
  readonly rawUnit: string | null;
  /** Absent: a variable that was written down, which stands for what it is compared with. */
  readonly measure?: Measure | undefined;
  /** Its value in a unit of another dimension: of a variable by the calibration of its sensor, else by the rig itself. */
  readonly recompute?: ((unit: string) => number) | undefined;
  /** Which conversion of the hardware it is; absent where there is none. */
  readonly conversion?: Conversion | undefined;
  readonly bench: boolean;
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

/** A reading as an amount. */
export const asAmount = ({ value, unit, measure, recompute }: Measured): RunAmount => ({
  value,
  unit: unit ?? undefined,
  measure,
  recompute,
});
