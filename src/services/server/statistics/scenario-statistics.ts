import { isoTime } from './limit-groups.ts';
import { firstRunsOf, ratio, type Yields, yieldsOf } from './yields.ts';

/** A run that has ended, as the index has it. */
export interface EndedRun {
  readonly runId: string;
  readonly position: number;
  readonly serial: string | null;
  readonly startedMs: number;
  readonly status: string;
  /** Some block needed a further attempt. */
  readonly retried: boolean;
  /** What failed first: key of a measurement, or a sentence; null where nothing failed. */
  readonly firstFailed: { readonly key: string | null; readonly text: string } | null;
}

export interface ParetoBar {
  /** Key of the measurement, for its statistics; null: no judged value failed. */
  readonly key: string | null;
  readonly text: string;
  /** Units, and runs without a serial number, whose first failed run failed here first. */
  readonly count: number;
  /** Share of this bar and of those before it, 0 to 1. */
  readonly cumulative: number;
}

export interface ScenarioStatistics extends Yields {
  readonly by_status: Readonly<Record<string, number>>;
  /** UTC periods with at least one run, oldest first. */
  readonly over_time: readonly ({ readonly from: string } & Yields)[];
  /** Most frequent first; what lies behind the first twenty is one last bar, `other`. */
  readonly pareto: readonly ParetoBar[];
  /** Units by their latest run, newest first. */
  readonly units: readonly UnitHistory[];
  readonly units_total: number;
}

export interface UnitHistory {
  readonly unit_under_test: string;
  readonly runs: number;
  readonly first_status: string;
  readonly last_status: string;
  readonly last_run_id: string;
  readonly last_at: string;
}

export type Interval = 'day' | 'week' | 'month';
const DAY_MS = 86_400_000;
const MOST_BARS = 20;
const MOST_UNITS = 500;

/** @param runs in their order @param firstRuns as in `yieldsOf` */
export function scenarioStatistics(
  runs: readonly EndedRun[],
  interval: Interval,
  firstRuns?: ReadonlyMap<string, number>,
): ScenarioStatistics {
  const judged = runs.map((run) => ({ ...run, ...verdictsOf(run) }));
  const byStatus: Record<string, number> = {};
  for (const { status } of runs) byStatus[status] = (byStatus[status] ?? 0) + 1;
  const known = firstRuns ?? firstRunsOf(judged);
  const periods = new Map<string, typeof judged>();
  const days = new Map<number, string>();
  for (const run of judged) {
    const day = Math.floor(run.startedMs / DAY_MS);
    const from = days.get(day) ?? periodOf(run.startedMs, interval);
    days.set(day, from);
    const period = periods.get(from);
    if (period) period.push(run);
    else periods.set(from, [run]);
  }
  const units = unitsOf(runs);
  return {
    ...yieldsOf(judged, known),
    by_status: byStatus,
    over_time: [...periods]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, some]) => ({ from, ...yieldsOf(some, known) })),
    pareto: paretoOf(runs),
    units: units.shown,
    units_total: units.total,
  };
}

/** A run with a retry did not pass at its first attempt; what else the first attempt was does not count. */
export function verdictsOf({ status, retried }: Pick<EndedRun, 'status' | 'retried'>): {
  verdict: 'passed' | 'failed' | 'none';
  firstAttempt: 'passed' | 'failed' | 'none';
} {
  const verdict = status === 'passed' || status === 'failed' ? status : 'none';
  return { verdict, firstAttempt: retried && verdict === 'passed' ? 'failed' : verdict };
}

/** First day of the period of a moment, UTC: `2025-01-15`. Weeks begin on Monday. */
function periodOf(ms: number, interval: Interval): string {
  const date = new Date(ms);
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (interval === 'month') date.setUTCDate(1);
  return date.toISOString().slice(0, 10);
}

/** Each unit counts once, by its first failed run: retests and retries make no bar higher. */
function paretoOf(runs: readonly EndedRun[]): ParetoBar[] {
  const seen = new Set<string>();
  const bars = new Map<string, { key: string | null; text: string; count: number }>();
  let total = 0;
  for (const { serial, status, firstFailed } of runs) {
    if (status !== 'failed' || (serial !== null && seen.has(serial))) continue;
    if (serial !== null) seen.add(serial);
    const { key = null, text = 'unknown' } = firstFailed ?? {};
    const name = key ?? text;
    const bar = bars.get(name) ?? { key, text, count: 0 };
    bars.set(name, { ...bar, count: bar.count + 1 });
    total += 1;
  }
  const sorted = [...bars.values()].sort((a, b) => b.count - a.count);
  const rest = sorted.slice(MOST_BARS).reduce((sum, { count }) => sum + count, 0);
  const shown = sorted.slice(0, MOST_BARS);
  if (rest > 0) shown.push({ key: null, text: 'other', count: rest });
  let before = 0;
  return shown.map((bar) => {
    before += bar.count;
    return { ...bar, cumulative: ratio(before, total) ?? 0 };
  });
}

function unitsOf(runs: readonly EndedRun[]): { shown: UnitHistory[]; total: number } {
  const units = new Map<string, { count: number; first: EndedRun; last: EndedRun }>();
  for (const run of runs) {
    if (run.serial === null) continue;
    const { count = 0, first = run } = units.get(run.serial) ?? {};
    // Taken out and put in again: the map is in the order of the latest runs.
    units.delete(run.serial);
    units.set(run.serial, { count: count + 1, first, last: run });
  }
  const shown = [...units].slice(-MOST_UNITS).reverse();
  return {
    total: units.size,
    shown: shown.map(([serial, { count, first, last }]) => ({
      unit_under_test: serial,
      runs: count,
      first_status: first.status,
      last_status: last.status,
      last_run_id: last.runId,
      last_at: isoTime(last.startedMs),
    })),
  };
}
