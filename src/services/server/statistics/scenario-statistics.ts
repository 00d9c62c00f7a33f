import { type AlikeRuns, ratio, type Yields, yieldsOfAlike } from './yields.ts';

/** Ended runs of one UTC day that are alike in status, retry and unit. */
export interface CountedRuns {
  /** Days since 1970. */
  readonly day: number;
  readonly status: string;
  /** 1: some block needed a further attempt. */
  readonly retried: number;
  readonly ofUnit: AlikeRuns['ofUnit'];
  readonly count: number;
}

/** What failed first: key of a measurement, or a sentence where no judged value failed. */
export interface FailedFirst {
  readonly key: string | null;
  readonly text: string;
  /** Units, and runs without a serial number, whose first failed run failed here first. */
  readonly count: number;
}

export interface ParetoBar extends FailedFirst {
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

/** What the index has counted in a selection of runs. */
export interface ScenarioCounts {
  readonly counted: readonly CountedRuns[];
  readonly failedFirst: readonly FailedFirst[];
  readonly units: readonly UnitHistory[];
  readonly unitsTotal: number;
}

export function scenarioStatistics(
  { counted, failedFirst, units, unitsTotal }: ScenarioCounts,
  interval: Interval,
): ScenarioStatistics {
  const byStatus: Record<string, number> = {};
  const periods = new Map<string, AlikeRuns[]>();
  const all: AlikeRuns[] = [];
  for (const { day, status, retried, ofUnit, count } of counted) {
    byStatus[status] = (byStatus[status] ?? 0) + count;
    const alike = { count, ofUnit, ...verdictsOf(status, retried) };
    all.push(alike);
    const from = periodOf(day, interval);
    const period = periods.get(from);
    if (period) period.push(alike);
    else periods.set(from, [alike]);
  }
  return {
    ...yieldsOfAlike(all),
    by_status: byStatus,
    over_time: [...periods]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, alike]) => ({ from, ...yieldsOfAlike(alike) })),
    pareto: paretoOf(failedFirst),
    units,
    units_total: unitsTotal,
  };
}

/** A run with a retry did not pass at its first attempt; what else the first attempt was does not count. */
function verdictsOf(status: string, retried: number): Pick<AlikeRuns, 'verdict' | 'firstAttempt'> {
  const verdict = status === 'passed' || status === 'failed' ? status : 'none';
  return { verdict, firstAttempt: retried === 1 && verdict === 'passed' ? 'failed' : verdict };
}

/** First day of the period of a day, UTC: `2025-01-15`. Weeks begin on Monday. */
function periodOf(day: number, interval: Interval): string {
  const date = new Date(day * DAY_MS);
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (interval === 'month') date.setUTCDate(1);
  return date.toISOString().slice(0, 10);
}

function paretoOf(failedFirst: readonly FailedFirst[]): ParetoBar[] {
  const shown = failedFirst.slice(0, MOST_BARS);
  const countOf = (bars: readonly FailedFirst[]) => bars.reduce((sum, { count }) => sum + count, 0);
  const total = countOf(failedFirst);
  const rest = total - countOf(shown);
  if (rest > 0) shown.push({ key: null, text: 'other', count: rest });
  let before = 0;
  return shown.map((bar) => {
    before += bar.count;
    return { ...bar, cumulative: ratio(before, total) ?? 0 };
  });
}
