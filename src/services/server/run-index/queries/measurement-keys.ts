import { ratio } from '../../statistics/yields.ts';
import type { Database } from '../database.ts';
import { filterSql, type RunFilter, runsOfValues } from '../run-filter.ts';

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
  readonly last_run_id: string;
  /** Limits by which the last of these runs judged it, in `unit`. */
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
  const { sql, values } = filterSql(filter, {});
  const rows = database.all<Row>(
    // Beside one max() SQLite takes the other columns, the limits here, from the row that has it.
    `SELECT found.*, limits.spec AS limits FROM limits JOIN (SELECT keys.key, keys.scenario, keys.block,
       keys.check_name AS "check", keys.sensor, count(*) AS count,
       sum(measurements.outcome = 'passed') AS passed, sum(measurements.outcome = 'failed') AS failed,
       max(runs.run_id) AS last_run_id, measurements.limits AS limits_id
     FROM measurements JOIN ${runsOfValues(filter)} ON runs.id = measurements.run JOIN keys ON keys.id = measurements.key
     WHERE runs.damaged IS NULL AND ${sql}
     GROUP BY measurements.key) AS found ON found.limits_id = limits.id ORDER BY found.scenario, found.key`,
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
