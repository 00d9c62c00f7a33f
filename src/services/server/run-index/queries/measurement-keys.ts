import { ratio } from '../../statistics/yields.ts';
import type { Database } from '../database.ts';
import { type RunFilter, runsSql } from '../run-filter.ts';

export interface MeasurementKey {
  readonly key: string;
  readonly scenario: string;
  readonly block: string;
  readonly check: string;
  readonly sensor: string | null;
  /** Judgements, those of replaced attempts included. */
  readonly count: number;
  readonly passed: number;
  readonly failed: number;
  /** Passed of the judgements that passed or failed, 0 to 1; null where there is none. */
  readonly yield: number | null;
  /** Of the last judgement in time. */
  readonly last_run_id: string;
  /** Limits by which the last one was judged, in `unit`. */
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: string | null;
}

interface Row extends Omit<MeasurementKey, 'yield' | 'low' | 'high' | 'unit'> {
  /** JSON of unit, low and high. */
  readonly limits: string;
}

/** The measurements of a selection of runs, by scenario and key. @throws IndexError */
export function measurementKeys(database: Database, filter: RunFilter): MeasurementKey[] {
  const { sql, values } = runsSql(filter, 'measurements.run');
  const rows = database.all<Row>(
    // Beside one max() SQLite takes the other columns, run and limits here, from the row that has it. Names come after the grouping.
    `SELECT keys.key, keys.scenario, keys.block, keys.check_name AS "check", keys.sensor, found.count, found.passed,
       found.failed, runs.run_id AS last_run_id, limits.spec AS limits
     FROM (SELECT key, count(*) AS count, sum(outcome = 'passed') AS passed, sum(outcome = 'failed') AS failed,
       max(at_ms), run, limits
     FROM measurements WHERE ${sql} GROUP BY key) AS found
     JOIN keys ON keys.id = found.key JOIN runs ON runs.id = found.run JOIN limits ON limits.id = found.limits
     ORDER BY keys.scenario, keys.key`,
    ...values,
  );
  return rows.map(({ key, scenario, block, check, sensor, count, passed, failed, last_run_id, limits }) => {
    const [unit, low, high] = JSON.parse(limits) as [string | null, number | null, number | null];
    return {
      ...{ key, scenario, block, check, sensor, count, passed, failed },
      yield: ratio(passed, passed + failed),
      ...{ last_run_id, low, high, unit },
    };
  });
}
