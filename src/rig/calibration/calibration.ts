/** Turns the raw unit of a sensor into an engineering unit. Each one is identified, so that a reading can name it. */
export type Calibration = LinearCalibration | TableCalibration;

interface CalibrationBase {
  /** Identity that readings and records carry, for example `cal-nc-2025-01`. */
  readonly id: string;
  /** Unit that comes out, for example `mbar`. */
  readonly unit: string;
  /** Unit that goes in; default `V`. */
  readonly from?: string;
  /** ISO dates or times of the calibration and of its end; a plain due date counts to its end, UTC. */
  readonly calibratedAt?: string;
  readonly dueAt?: string;
  /** What it was made with. */
  readonly source?: string;
  /** Expanded (k = 2), in `unit`. */
  readonly uncertainty?: number;
  /** When and by whom it was confirmed; unconfirmed when missing. */
  readonly confirmedAt?: string;
  readonly confirmedBy?: string;
}

/** out = raw * scale + offset */
export interface LinearCalibration extends CalibrationBase {
  readonly kind: 'linear';
  readonly scale: number;
  readonly offset: number;
}

/** Straight lines between points, ascending in raw. Outside the points there is no value. */
export interface TableCalibration extends CalibrationBase {
  readonly kind: 'table';
  readonly points: readonly (readonly [raw: number, out: number])[];
}

/**
 * Applies a calibration to a raw value. Undefined when the raw value lies outside a table: extrapolating would
 * invent a reading.
 */
export function applyCalibration(calibration: Calibration, raw: number): number | undefined {
  if (calibration.kind === 'linear') return raw * calibration.scale + calibration.offset;
  const { points } = calibration;
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1]!;
    const [x1, y1] = points[i]!;
    if (raw >= x0 && raw <= x1) return x1 === x0 ? y0 : y0 + ((raw - x0) * (y1 - y0)) / (x1 - x0);
  }
  return undefined;
}
