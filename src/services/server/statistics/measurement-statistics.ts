import { BASE_COUNT, type ControlLimits, controlLimitsOf } from './control-limits.ts';
import { type Drift, driftOf } from './drift.ts';
import { type Bin, histogramOf } from './histogram.ts';
import { isoTime, type LimitGroup, limitGroupsOf } from './limit-groups.ts';
import { type MeasuredRow, measuredRuns } from './measured-row.ts';
import { momentsOf } from './moments.ts';
import { brokenRules, type WesternElectricRule } from './western-electric.ts';
import { type Yields, yieldsOf } from './yields.ts';

export interface ChartPoint {
  readonly run_id: string;
  readonly at: string;
  readonly unit_under_test: string | null;
  readonly value: number;
  /** Limits of the test when it was judged. */
  readonly low: number | null;
  readonly high: number | null;
  readonly outcome: string;
  /** Western Electric rules that end at this point. */
  readonly rules: readonly WesternElectricRule[];
}

export interface MeasurementStatistics extends Yields {
  /** Unit of all numbers here; null: the values have none. */
  readonly unit: string | null;
  /** Units that the values of this measurement have; those of another unit are left out. */
  readonly units: readonly { readonly unit: string | null; readonly count: number }[];
  /** Values that a later attempt of the same run replaced; they are in none of the figures but first-pass yield. */
  readonly retries: { readonly runs: number; readonly values: number };
  readonly values: {
    readonly count: number;
    readonly mean: number | null;
    readonly standard_deviation: number | null;
    readonly min: number | null;
    readonly max: number | null;
  };
  readonly limits: readonly LimitGroup[];
  readonly histogram: readonly Bin[];
  /** Null: fewer than 20 values, or values that do not differ. */
  readonly control_limits: ControlLimits | null;
  /** Points that broke each rule; null without control limits. */
  readonly rules_broken: Readonly<Record<`${WesternElectricRule}`, number>> | null;
  /** Newest points, in time order. */
  readonly chart: { readonly total: number; readonly points: readonly ChartPoint[] };
  /** Null: fewer than three values, or all of one moment. */
  readonly drift: Drift | null;
}

export interface MeasurementQuestion {
  /** Unit of the values; default that of the newest value. */
  unit?: string | undefined;
  /** Points of the chart at most. */
  points: number;
  /** Frozen period for the control limits, ms; default the first 20 values. */
  base?: { sinceMs: number; untilMs: number } | undefined;
  /** Position of each unit's first judged run, where the rows are a selection that may lack it. */
  firstRuns?: ReadonlyMap<string, number> | undefined;
}

type NumericRow = MeasuredRow & { readonly value: number };

/** @param rows of one measurement, in the order of the runs and of the judgements */
export function measurementStatistics(
  rows: readonly MeasuredRow[],
  question: MeasurementQuestion,
): MeasurementStatistics {
  const runs = measuredRuns(rows);
  const superseded = runs.filter((run) => run.superseded.length > 0);
  const numeric = runs.flatMap(({ counted }) => counted).filter(isNumeric);
  const unit = question.unit ?? numeric.at(-1)?.unit ?? null;
  const used = numeric.filter((row) => row.unit === unit);
  const values = used.map(({ value }) => value);
  const moments = momentsOf(values);
  const control = controlLimitsOf(baseOf(used, question.base));
  const rules = control ? brokenRules(values, control) : undefined;
  const charted = Math.max(0, used.length - question.points);
  return {
    ...yieldsOf(runs, question.firstRuns),
    unit,
    units: unitsOf(numeric),
    retries: {
      runs: superseded.length,
      values: superseded.reduce((sum, run) => sum + run.superseded.length, 0),
    },
    values: {
      count: values.length,
      mean: moments?.mean ?? null,
      standard_deviation: moments?.standardDeviation ?? null,
      min: moments?.min ?? null,
      max: moments?.max ?? null,
    },
    limits: limitGroupsOf(used),
    histogram: histogramOf(values),
    control_limits: control ?? null,
    rules_broken: rules ? countRules(rules) : null,
    chart: {
      total: used.length,
      points: used.slice(charted).map((row, at) => pointOf(row, rules?.[charted + at] ?? [])),
    },
    drift:
      driftOf(
        used.map(({ atMs }) => atMs),
        values,
      ) ?? null,
  };
}

const isNumeric = (row: MeasuredRow): row is NumericRow =>
  row.value !== null && Number.isFinite(row.value) && (row.outcome === 'passed' || row.outcome === 'failed');

function baseOf(used: readonly NumericRow[], base: MeasurementQuestion['base']): number[] {
  const rows = base
    ? used.filter(({ atMs }) => atMs >= base.sinceMs && atMs <= base.untilMs)
    : used.slice(0, BASE_COUNT);
  return rows.map(({ value }) => value);
}

function unitsOf(rows: readonly NumericRow[]): { unit: string | null; count: number }[] {
  const counts = new Map<string | null, number>();
  for (const { unit } of rows) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  return [...counts].map(([unit, count]) => ({ unit, count }));
}

function countRules(rules: readonly (readonly WesternElectricRule[])[]) {
  const counts = { '1': 0, '2': 0, '3': 0, '4': 0 };
  for (const broken of rules) for (const rule of broken) counts[`${rule}`]++;
  return counts;
}

const pointOf = (
  { runId, atMs, serial, value, low, high, outcome }: NumericRow,
  rules: readonly WesternElectricRule[],
): ChartPoint => ({
  run_id: runId,
  at: isoTime(atMs),
  unit_under_test: serial,
  ...{ value, low, high, outcome, rules },
});
