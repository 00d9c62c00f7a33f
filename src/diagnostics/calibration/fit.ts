/** A point of the fit: mean voltage of the sensor, reading of the reference standard in its unit. */
export interface FitPoint {
  volts: number;
  reference: number;
}

export type Fit =
  | { kind: 'linear'; scale: number; offset: number }
  | { kind: 'table'; points: readonly (readonly [volts: number, out: number])[] };

export interface ChosenFit {
  fit: Fit;
  /** Why it is a table; null for a line. */
  reason: string | null;
  /** Calculated minus reference at each point, in the unit of the standard. */
  residuals: readonly number[];
}

/** A residual of a line may be this share of the permissible error. */
const LINE_SHARE = 1 / 3;
/** A curvature counts from this share of the permissible error, when it is also significant. */
const PATTERN_SHARE = 1 / 10;
/** Student's t from which a curvature is no chance, for the few points of a calibration. */
const SIGNIFICANT_T = 4;

/** Least squares: reference = volts * scale + offset. @param points of at least two voltages. */
export function fitLine(points: readonly FitPoint[]): { scale: number; offset: number } {
  const n = points.length;
  const meanX = points.reduce((sum, { volts }) => sum + volts, 0) / n;
  const meanY = points.reduce((sum, { reference }) => sum + reference, 0) / n;
  const sxx = points.reduce((sum, { volts }) => sum + (volts - meanX) ** 2, 0);
  const sxy = points.reduce((sum, { volts, reference }) => sum + (volts - meanX) * (reference - meanY), 0);
  const scale = sxy / sxx;
  return { scale, offset: meanY - scale * meanX };
}

/**
 * A line, when its residuals are below a third of the permissible error and show no curvature; else a table through the mean of
 * each nominal point.
 *
 * @param points of all passes; points of one nominal value share `nominal`
 * @param limit largest permissible error, in the unit of the standard, above 0
 */
export function chooseFit(points: readonly (FitPoint & { nominal: number })[], limit: number): ChosenFit {
  const line = fitLine(points);
  const residuals = points.map(({ volts, reference }) => volts * line.scale + line.offset - reference);
  const worst = Math.max(...residuals.map(Math.abs));
  const bend = curvature(points, residuals);
  const isBent = bend.t > SIGNIFICANT_T && bend.size > limit * PATTERN_SHARE;
  if (worst <= limit * LINE_SHARE && !isBent)
    return { fit: { kind: 'linear', ...line }, reason: null, residuals };
  const reason =
    worst > limit * LINE_SHARE
      ? `a line leaves ${worst.toPrecision(3)}, more than a third of the permissible ${limit}`
      : `the residuals of a line are curved by ${bend.size.toPrecision(3)} (t = ${bend.t.toFixed(1)})`;
  const table = tableOf(points);
  return {
    fit: { kind: 'table', points: table },
    reason,
    residuals: points.map(({ volts, reference }) => (valueIn(table, volts) ?? Number.NaN) - reference),
  };
}

/** Mean voltage and reference of each nominal value, ascending in volts. */
function tableOf(points: readonly (FitPoint & { nominal: number })[]): [number, number][] {
  const groups = new Map<number, FitPoint[]>();
  for (const point of points) groups.set(point.nominal, [...(groups.get(point.nominal) ?? []), point]);
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  return [...groups.values()]
    .map((group): [number, number] => [
      mean(group.map(({ volts }) => volts)),
      mean(group.map(({ reference }) => reference)),
    ])
    .sort(([a], [b]) => a - b);
}

/** Straight lines between the points, the outer ones extended: the mean of two passes lies within them. */
function valueIn(table: readonly (readonly [number, number])[], volts: number): number | undefined {
  const at = Math.min(
    Math.max(
      table.findIndex(([x]) => x >= volts),
      1,
    ),
    table.length - 1,
  );
  const [x0, y0] = table[volts > (table.at(-1)?.[0] ?? 0) ? table.length - 2 : at - 1] ?? [0, 0];
  const [x1, y1] = table[volts > (table.at(-1)?.[0] ?? 0) ? table.length - 1 : at] ?? [0, 0];
  return x1 === x0 ? undefined : y0 + ((volts - x0) * (y1 - y0)) / (x1 - x0);
}

/** How much of the residuals a parabola explains: its height over the range, and the t of its coefficient. */
function curvature(points: readonly FitPoint[], residuals: readonly number[]): { size: number; t: number } {
  const n = points.length;
  if (n < 4) return { size: 0, t: 0 };
  const low = Math.min(...points.map(({ volts }) => volts));
  const high = Math.max(...points.map(({ volts }) => volts));
  // A parabola without mean and slope over these points: what is left of z^2 behind its own line.
  const square = points.map(({ volts }) => ({
    volts,
    reference: ((2 * (volts - low)) / (high - low) - 1) ** 2,
  }));
  const own = fitLine(square);
  const shape = square.map(({ volts, reference }) => reference - volts * own.scale - own.offset);
  const power = shape.reduce((sum, one) => sum + one * one, 0);
  if (!(power > 0)) return { size: 0, t: 0 };
  const height = shape.reduce((sum, one, index) => sum + one * (residuals[index] ?? 0), 0) / power;
  const rest = residuals.reduce((sum, one, index) => sum + (one - height * (shape[index] ?? 0)) ** 2, 0);
  const error = Math.sqrt(rest / Math.max(1, n - 3) / power);
  return {
    size: Math.abs(height),
    t: error === 0 ? (height === 0 ? 0 : Number.POSITIVE_INFINITY) : Math.abs(height) / error,
  };
}
