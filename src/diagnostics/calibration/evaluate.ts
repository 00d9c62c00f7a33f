import { applyCalibration, type Calibration } from '../../rig/calibration/calibration.ts';
import { chooseFit, type Fit } from './fit.ts';
import type { PointReadings } from './readings.ts';

export type Pass = 'up' | 'down' | 'check';

/** A point as it was measured. */
export interface MeasuredPoint {
  pass: Pass;
  /** Wanted value, in the unit of the standard. */
  nominal: number;
  /** Reading of the standard. */
  reference: number;
  readings: PointReadings;
}

export interface EvaluatedPoint extends MeasuredPoint {
  /** Value by the old calibration minus the reference; null without one, or outside its table. */
  asFound: number | null;
  /** The same by the new one. */
  asLeft: number | null;
}

/** What the calibration is judged by, in the unit of the standard. */
export interface Requirements {
  /** Largest permissible error. */
  limit: number;
  low: number;
  high: number;
  /** Expanded uncertainty (k = 2) of the standard. */
  standardUncertainty: number;
}

export interface Evaluation {
  points: readonly EvaluatedPoint[];
  fit: Fit;
  /** Why the fit is a table; null for a line. */
  tableReason: string | null;
  /** Largest residual of the fit. */
  worstResidual: number;
  /** Largest difference between both passes at one nominal value. */
  hysteresis: number;
  /** Largest error at the check points, which the fit did not use. */
  worstCheck: number;
  /** Largest error of the old calibration; null without one. */
  worstAsFound: number | null;
  /** Proposed expanded uncertainty (k = 2) of the sensor. */
  uncertainty: number;
  /** Why it must not be used; empty when it may. */
  refusals: readonly string[];
}

/** Share of the span that the voltage has to move from one end to the other, volts. */
const LEAST_SPAN_VOLTS = 0.05;

/** Evaluates a calibration against a reference standard. @throws RangeError for fewer than two nominal points */
export function evaluate(
  measured: readonly MeasuredPoint[],
  requirements: Requirements,
  old: Calibration | undefined,
): Evaluation {
  const { limit, standardUncertainty } = requirements;
  const fitted = measured.filter(({ pass }) => pass !== 'check');
  if (new Set(fitted.map(({ nominal }) => nominal)).size < 2)
    throw new RangeError('a calibration needs at least two nominal points');
  const { fit, reason, residuals } = chooseFit(
    fitted.map(({ nominal, reference, readings }) => ({ nominal, reference, volts: readings.mean })),
    limit,
  );
  const fresh: Calibration = { id: 'new', unit: old?.unit ?? '', ...fit };
  const errorBy = (
    calibration: Calibration | undefined,
    { reference, readings }: MeasuredPoint,
  ): number | null => {
    const value = calibration && applyCalibration(calibration, readings.mean);
    return value === undefined ? null : value - reference;
  };
  const points = measured.map((point) => ({
    ...point,
    asFound: errorBy(old, point),
    asLeft: errorBy(fresh, point),
  }));
  const worst = (values: readonly (number | null)[]) =>
    Math.max(0, ...values.flatMap((one) => (one === null ? [] : [Math.abs(one)])));
  const scale = slopeOf(fit);
  const hysteresis = hysteresisOf(fitted, scale);
  const checks = points.filter(({ pass }) => pass === 'check');
  const worstResidual = worst(residuals);
  const repeatability = Math.max(
    ...fitted.map(({ readings }) => (Math.abs(scale) * readings.deviation) / Math.sqrt(readings.count)),
  );
  const evaluation = {
    points,
    fit,
    tableReason: reason,
    worstResidual,
    hysteresis,
    worstCheck: worst(checks.map(({ asLeft }) => asLeft)),
    worstAsFound: old ? worst(points.map(({ asFound }) => asFound)) : null,
    uncertainty:
      2 *
      Math.hypot(
        standardUncertainty / 2,
        repeatability,
        hysteresis / (2 * Math.sqrt(3)),
        worstResidual / Math.sqrt(3),
      ),
  };
  return { ...evaluation, refusals: refusalsOf(evaluation, requirements) };
}

function refusalsOf(
  evaluation: Omit<Evaluation, 'refusals'>,
  { limit, low, high, standardUncertainty }: Requirements,
): string[] {
  const { points, hysteresis, worstCheck } = evaluation;
  const refusals: string[] = [];
  const fitted = points.filter(({ pass }) => pass !== 'check');
  const volts = fitted.map(({ readings }) => readings.mean);
  const span = Math.max(...volts) - Math.min(...volts);
  if (span < LEAST_SPAN_VOLTS)
    refusals.push(
      `the voltage moved by ${span.toFixed(4)} V only: check that the sensor is connected to the pressure`,
    );
  else if (!isMonotonic(fitted))
    refusals.push(
      'the voltage does not follow the reference in one direction: check the points and the connection',
    );
  const references = fitted.map(({ reference }) => reference);
  const reach = Math.max(...references) - Math.min(...references);
  if (reach < 0.9 * (high - low))
    refusals.push(
      `the reference moved over ${reach.toPrecision(4)} only, not over the range ${low} .. ${high}`,
    );
  if (hysteresis > limit)
    refusals.push(`the hysteresis is ${hysteresis.toPrecision(3)}, permissible are ${limit}`);
  const checks = points.filter(({ pass }) => pass === 'check');
  if (checks.some(({ asLeft }) => asLeft === null))
    refusals.push('a check point lies outside the measured range');
  if (worstCheck > limit)
    refusals.push(`a check point is off by ${worstCheck.toPrecision(3)}, permissible are ${limit}`);
  if (standardUncertainty > limit)
    refusals.push(
      `the uncertainty of the standard, ${standardUncertainty}, is above the permissible error ${limit}`,
    );
  return refusals;
}

/** In order of the nominal value the mean voltages of one pass rise, or they fall. */
function isMonotonic(points: readonly MeasuredPoint[]): boolean {
  const steps = (['up', 'down'] as const).flatMap((pass) => {
    const volts = points
      .filter((one) => one.pass === pass)
      .sort((one, other) => one.nominal - other.nominal)
      .map(({ readings }) => readings.mean);
    return volts.slice(1).map((volt, index) => Math.sign(volt - (volts[index] ?? 0)));
  });
  return steps.every((step) => step !== 0 && step === steps[0]);
}

/** Unit per volt, of a table between its ends. */
function slopeOf(fit: Fit): number {
  if (fit.kind === 'linear') return fit.scale;
  const [first, last] = [fit.points[0], fit.points.at(-1)];
  return first && last ? (last[1] - first[1]) / (last[0] - first[0]) : Number.NaN;
}

/** Each pass is compared at the same nominal value, corrected by what the standard showed. */
function hysteresisOf(points: readonly MeasuredPoint[], scale: number): number {
  const error = ({ readings, reference }: MeasuredPoint) => scale * readings.mean - reference;
  const up = points.filter(({ pass }) => pass === 'up');
  const differences = points
    .filter(({ pass }) => pass === 'down')
    .flatMap((down) => {
      const partner = up.find(({ nominal }) => nominal === down.nominal);
      return partner ? [Math.abs(error(down) - error(partner))] : [];
    });
  return Math.max(0, ...differences);
}
