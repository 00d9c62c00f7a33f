import { compensatedSum } from './compensated-sum.ts';
import { momentsOf } from './moments.ts';
import { studentT95 } from './student-t.ts';

const DAY_MS = 86_400_000;
/** Two points always lie on a line. */
const FEWEST = 3;

/** Change of a value with time, in its unit per day. */
export interface Drift {
  readonly per_day: number;
  readonly low95: number;
  readonly high95: number;
  /** Zero lies outside of the interval. */
  readonly significant: boolean;
}

/**
 * Least-squares slope of values against time with its 95 % interval (Student's t).
 * @param timesMs wall clock of each value
 * @returns undefined below three values, or when all are of one moment
 */
export function driftOf(timesMs: readonly number[], values: readonly number[]): Drift | undefined {
  const count = values.length;
  const days = timesMs.map((ms) => (ms - (timesMs[0] ?? 0)) / DAY_MS);
  const [time, value] = [momentsOf(days), momentsOf(values)];
  if (!time || !value || count < FEWEST) return undefined;
  const x = days.map((day) => day - time.mean);
  const y = values.map((one) => one - value.mean);
  const spread = compensatedSum(x.map((one) => one ** 2));
  if (spread === 0) return undefined;
  const slope = compensatedSum(x.map((one, at) => one * (y[at] ?? 0))) / spread;
  const residuals = compensatedSum(y.map((one, at) => (one - slope * (x[at] ?? 0)) ** 2));
  const margin = studentT95(count - 2) * Math.sqrt(residuals / (count - 2) / spread);
  const [low95, high95] = [slope - margin, slope + margin];
  return { per_day: slope, low95, high95, significant: low95 > 0 || high95 < 0 };
}
