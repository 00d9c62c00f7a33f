/** Readings of one point, volts. */
export interface PointReadings {
  count: number;
  mean: number;
  /** Sample standard deviation. */
  deviation: number;
}

/** One reading with the monotonic time at which it was received. */
export interface TimedVolts {
  volts: number;
  atMs: number;
}

/** When an input counts as settled, volts within the window: how far the mean line may rise, and the scatter about it. */
export interface SettleLimits {
  driftVolts: number;
  scatterVolts: number;
  /** Readings of the window, at least 3. */
  window: number;
}

export const SETTLE_LIMITS: SettleLimits = { driftVolts: 0.002, scatterVolts: 0.005, window: 8 };

/** Mean and sample standard deviation. @param volts at least two values */
export function readingsOf(volts: readonly number[]): PointReadings {
  const mean = volts.reduce((sum, one) => sum + one, 0) / volts.length;
  const squares = volts.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { count: volts.length, mean, deviation: Math.sqrt(squares / (volts.length - 1)) };
}

/** Why the last readings are not settled, in volts; undefined when they are. */
export function unsettled(
  readings: readonly TimedVolts[],
  { driftVolts, scatterVolts, window }: SettleLimits = SETTLE_LIMITS,
): string | undefined {
  if (readings.length < window) return `only ${readings.length} of ${window} readings came`;
  const last = readings.slice(-window);
  const { slope, scatter, seconds } = lineThrough(last);
  const drift = Math.abs(slope * seconds);
  if (drift > driftVolts) return `it drifts by ${drift.toFixed(4)} V in ${seconds.toFixed(1)} s`;
  if (scatter > scatterVolts) return `its readings scatter by ${scatter.toFixed(4)} V`;
  return undefined;
}

/** Least squares over time: volts per second, standard deviation about the line, length of the window. */
function lineThrough(readings: readonly TimedVolts[]): { slope: number; scatter: number; seconds: number } {
  const t0 = readings[0]?.atMs ?? 0;
  const points = readings.map(({ volts, atMs }) => ({ t: (atMs - t0) / 1000, v: volts }));
  const n = points.length;
  const meanT = points.reduce((sum, { t }) => sum + t, 0) / n;
  const meanV = points.reduce((sum, { v }) => sum + v, 0) / n;
  const spread = points.reduce((sum, { t }) => sum + (t - meanT) ** 2, 0);
  const slope =
    spread === 0 ? 0 : points.reduce((sum, { t, v }) => sum + (t - meanT) * (v - meanV), 0) / spread;
  const rest = points.reduce((sum, { t, v }) => sum + (v - meanV - slope * (t - meanT)) ** 2, 0);
  return { slope, scatter: Math.sqrt(rest / Math.max(1, n - 2)), seconds: points.at(-1)?.t ?? 0 };
}
