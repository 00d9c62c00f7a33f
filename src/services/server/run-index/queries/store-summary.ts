import type { StoreSummary } from '../../../../scenario/records/run-store.ts';
import type { Database } from '../database.ts';

/** What the start of the server has to know of all records. @throws IndexError */
export function storeSummary(database: Database): StoreSummary {
  const [counted] = database.all<{ count: number; last: number | null }>(
    'SELECT count(*) AS count, max(position) AS last FROM runs WHERE damaged IS NULL',
  );
  const unended = database.all<{ run_id: string }>(
    'SELECT run_id FROM runs WHERE ended = 0 ORDER BY position, run_id',
  );
  const damaged = database.all<{ damaged: string }>(
    'SELECT damaged FROM runs WHERE damaged IS NOT NULL AND ended = 1 ORDER BY position, run_id',
  );
  return {
    count: counted?.count ?? 0,
    lastSerial: counted?.last ?? 0,
    unended: unended.map(({ run_id }) => run_id),
    damaged: damaged.map((row) => row.damaged),
  };
}
