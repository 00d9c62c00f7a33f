import type { MeasuredRow } from '../../statistics/measured-row.ts';
import type { Database } from '../database.ts';
import { valueOfHex } from '../measurement-blob.ts';
import { filterSql, type RunFilter, runsOfValues } from '../run-filter.ts';

/** Rows of one measurement as one text, 1,000 rows a millisecond: an object for each row takes four times as long. */
const ROWS = `SELECT group_concat(hex(value) || ' ' || limits || ' ' || outcome || ' ' || attempt || ' ' || entry || ' ' || at_ms || ' ' || position || ' ' || run_id || ' ' || coalesce(serial, ''), x'0a') AS rows
FROM (SELECT measurements.*, position, run_id, hex(runs.serial) AS serial FROM measurements
  JOIN @runs ON runs.id = measurements.run
  WHERE measurements.key = ? AND runs.damaged IS NULL AND @filter
  ORDER BY position, run_id, n)`;

/** The judged values of one measurement, in the order of the runs and of the judgements. @throws IndexError */
export function measuredRows(database: Database, key: string, filter: RunFilter): MeasuredRow[] {
  const id = database.get<{ id: number }>('SELECT id FROM keys WHERE key = ?', key)?.id;
  if (id === undefined) return [];
  const { sql, values } = filterSql(filter, {});
  const found = database.get<{ rows: string | null }>(
    ROWS.replace('@runs', runsOfValues(filter)).replace('@filter', sql),
    id,
    ...values,
  );
  if (!found?.rows) return [];
  const limits = limitsById(database);
  return found.rows.split('\n').map((line) => {
    const [hex = '', limit = '', outcome = '', attempt, entry, atMs, position, runId = '', serial = ''] =
      line.split(' ');
    const [unit, low, high] = limits.get(limit) ?? [null, null, null];
    return {
      runId,
      position: Number(position),
      serial: serial === '' ? null : Buffer.from(serial, 'hex').toString(),
      atMs: Number(atMs),
      value: valueOfHex(hex),
      ...{ unit, low, high, outcome },
      attempt: Number(attempt),
      entry: Number(entry),
    };
  });
}

type LimitSpec = readonly [unit: string | null, low: number | null, high: number | null];

function limitsById(database: Database): Map<string, LimitSpec> {
  const rows = database.all<{ id: number; spec: string }>('SELECT id, spec FROM limits');
  return new Map(rows.map(({ id, spec }) => [String(id), JSON.parse(spec) as LimitSpec]));
}
