import type { EndedRun } from '../../statistics/scenario-statistics.ts';
import type { Database } from '../database.ts';
import { filterSql, type RunFilter } from '../run-filter.ts';

const ROWS = `SELECT json_group_array(json_array(run_id, position, serial, started_ms, status, retried, failed_key, failed_text)) AS rows
FROM (SELECT * FROM runs WHERE ended = 1 AND damaged IS NULL AND @filter ORDER BY position, run_id)`;

type Row = [string, number, string | null, number, string, number, number | null, string | null];

/** Runs that have ended, in their order. @throws IndexError */
export function endedRuns(database: Database, filter: RunFilter): EndedRun[] {
  const { sql, values } = filterSql(filter, {});
  const found = database.get<{ rows: string }>(
    ROWS.replace('@filter', sql.replaceAll('runs.', '')),
    ...values,
  );
  const keys = new Map(
    database.all<{ id: number; key: string }>('SELECT id, key FROM keys').map(({ id, key }) => [id, key]),
  );
  const rows = JSON.parse(found?.rows ?? '[]') as Row[];
  return rows.map(([runId, position, serial, startedMs, status, retried, failedKey, failedText]) => ({
    ...{ runId, position, serial, startedMs, status },
    retried: retried === 1,
    firstFailed:
      failedText === null
        ? null
        : { key: failedKey === null ? null : (keys.get(failedKey) ?? null), text: failedText },
  }));
}
