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
}

type Row = Omit<MeasurementKey, 'yield'>;

/** The measurements of a selection of runs, by scenario and key. @throws IndexError */
export function measurementKeys(database: Database, filter: RunFilter): MeasurementKey[] {
  const { sql, values } = filterSql(filter, {});
  const rows = database.all<Row>(
    `SELECT keys.key, keys.scenario, keys.block, keys.check_name AS "check", keys.sensor,
       count(*) AS count,
       sum(measurements.outcome = 'passed') AS passed, sum(measurements.outcome = 'failed') AS failed,
       max(runs.run_id) AS last_run_id
     FROM measurements JOIN ${runsOfValues(filter)} ON runs.id = measurements.run JOIN keys ON keys.id = measurements.key
     WHERE runs.damaged IS NULL AND ${sql}
     GROUP BY measurements.key ORDER BY keys.scenario, keys.key`,
    ...values,
  );
  return rows.map(({ key, scenario, block, check, sensor, count, passed, failed, last_run_id }) => ({
    ...{ key, scenario, block, check, sensor, count, passed, failed },
    yield: ratio(passed, passed + failed),
    last_run_id,
  }));
}
