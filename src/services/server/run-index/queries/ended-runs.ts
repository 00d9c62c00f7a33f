import type { EndedRun } from '../../statistics/scenario-statistics.ts';
import type { Database } from '../database.ts';
import { filterSql, type RunFilter } from '../run-filter.ts';

/** Rows that are text at the same time: of 100,000 at once the text alone takes 30 MB. */
const ROWS_AT_ONCE = 10_000;
const ROWS = `SELECT json_group_array(json_array(run_id, position, serial, started_ms, status, retried, failed_key, failed_text)) AS rows
FROM (SELECT * FROM runs WHERE ended = 1 AND damaged IS NULL AND @filter AND (position, run_id) > (?, ?) ORDER BY position, run_id LIMIT ${ROWS_AT_ONCE})`;

type Row = [string, number, string | null, number, string, number, number | null, string | null];

/** Runs that have ended, in their order. @throws IndexError */
export function endedRuns(database: Database, filter: RunFilter): EndedRun[] {
  const { sql, values } = filterSql(filter, {});
  const query = ROWS.replace('@filter', sql.replaceAll('runs.', ''));
  const keys = new Map(
    database.all<{ id: number; key: string }>('SELECT id, key FROM keys').map(({ id, key }) => [id, key]),
  );
  const runs: EndedRun[] = [];
  for (;;) {
    const { position = -1, runId = '' } = runs.at(-1) ?? {};
    const found = database.get<{ rows: string }>(query, ...values, position, runId);
    const rows = JSON.parse(found?.rows ?? '[]') as Row[];
    for (const row of rows) runs.push(endedRun(row, keys));
    if (rows.length < ROWS_AT_ONCE) return runs;
  }
}

function endedRun(
  [runId, position, serial, startedMs, status, retried, failedKey, failedText]: Row,
  keys: ReadonlyMap<number, string>,
): EndedRun {
  const key = failedKey === null ? null : (keys.get(failedKey) ?? null);
  return {
    ...{ runId, position, serial, startedMs, status },
    retried: retried === 1,
    firstFailed: failedText === null ? null : { key, text: failedText },
  };
}
