import { isoTime } from '../../statistics/limit-groups.ts';
import type {
  CountedRuns,
  FailedFirst,
  ScenarioCounts,
  UnitHistory,
} from '../../statistics/scenario-statistics.ts';
import type { Database } from '../database.ts';
import { filterSql, narrows, type RunFilter, widened } from '../run-filter.ts';

const DAY_MS = 86_400_000;
const MOST_UNITS = 500;

/** What statistics of a selection of ended runs are made from, counted by SQLite: a row for each run takes four times as long. @throws IndexError */
export function scenarioCounts(database: Database, filter: RunFilter): ScenarioCounts {
  const { sql, values } = filterSql(filter, {});
  const chosen = `runs WHERE ended = 1 AND damaged IS NULL AND ${sql}`;
  return {
    counted: countedRuns(database, filter),
    failedFirst: failedFirst(database, chosen, values),
    ...latestUnits(database, chosen, values),
  };
}

type Values = readonly (string | number)[];

/**
 * The first judged run of a unit may lie outside of the selection. All first runs are found in one pass: looked for with
 * each run, those of a unit that is tested again and again would take the square of its runs.
 */
function countedRuns(database: Database, filter: RunFilter): CountedRuns[] {
  const [chosen, ofUnits] = [
    filterSql(filter, {}),
    filterSql(narrows(filter) ? widened(filter) : filter, {}),
  ];
  return database.all<CountedRuns>(
    `WITH firsts AS MATERIALIZED (SELECT serial AS unit, min(position) AS first FROM runs
       WHERE serial IS NOT NULL AND status IN ('passed', 'failed') AND ended = 1 AND damaged IS NULL AND ${ofUnits.sql}
       GROUP BY serial)
     SELECT started_ms / ${DAY_MS} AS day, status, retried,
       CASE WHEN serial IS NULL THEN 'none' WHEN position = first THEN 'first' ELSE 'later' END AS ofUnit,
       count(*) AS count
     FROM runs LEFT JOIN firsts ON unit = serial
     WHERE ended = 1 AND damaged IS NULL AND ${chosen.sql}
     GROUP BY day, status, retried, ofUnit`,
    ...ofUnits.values,
    ...chosen.values,
  );
}

/** Each unit counts once, by its first failed run: retests and retries make no bar higher. */
function failedFirst(database: Database, chosen: string, values: Values): FailedFirst[] {
  // Beside one min() SQLite takes the other columns from the row that has it.
  return database
    .all<FailedFirst>(
      `SELECT (SELECT key FROM keys WHERE id = failed_key AND failed_text IS NOT NULL) AS key,
       coalesce(failed_text, 'unknown') AS text, count(*) AS count, run_id, min(position) AS first
     FROM (
       SELECT failed_key, failed_text, run_id, min(position) AS position FROM ${chosen}
         AND status = 'failed' AND serial IS NOT NULL GROUP BY serial
       UNION ALL
       SELECT failed_key, failed_text, run_id, position FROM ${chosen} AND status = 'failed' AND serial IS NULL
     ) GROUP BY coalesce(failed_key, failed_text) ORDER BY count DESC, first, run_id`,
      ...values,
      ...values,
    )
    .map(({ key, text, count }) => ({ key, text, count }));
}

interface UnitRow extends Omit<UnitHistory, 'last_at'> {
  readonly last_ms: number;
  readonly total: number;
}

/** Units by their latest run, newest first. */
function latestUnits(
  database: Database,
  chosen: string,
  values: Values,
): Pick<ScenarioCounts, 'units' | 'unitsTotal'> {
  const rows = database.all<UnitRow>(
    `WITH units AS (SELECT serial AS unit, count(*) AS runs, min(position) AS first, max(position) AS last,
         count(*) OVER () AS total
       FROM ${chosen} AND serial IS NOT NULL GROUP BY serial ORDER BY last DESC, serial LIMIT ${MOST_UNITS})
     SELECT unit AS unit_under_test, units.runs,
       (SELECT status FROM ${chosen} AND serial = unit AND position = first ORDER BY run_id) AS first_status,
       latest.status AS last_status, latest.run_id AS last_run_id, latest.started_ms AS last_ms, total
     FROM units JOIN runs AS latest ON latest.id =
       (SELECT id FROM ${chosen} AND serial = unit AND position = last ORDER BY run_id DESC)
     ORDER BY last DESC, unit`,
    ...values,
    ...values,
    ...values,
  );
  return {
    units: rows.map(({ last_ms, total: _, ...unit }) => ({ ...unit, last_at: isoTime(last_ms) })),
    unitsTotal: rows[0]?.total ?? 0,
  };
}
