import type { Database } from '../database.ts';
import { filterSql, type RunFilter } from '../run-filter.ts';

/** By which a selection of runs can be narrowed further; most recent first. */
export interface Origins {
  /** Texts of the chosen scenario; none where no scenario is chosen. */
  readonly versions: readonly { readonly version: string; readonly runs: number; readonly last_at: string }[];
  readonly rigs: readonly { readonly rig: string; readonly runs: number }[];
}

/** Texts and rigs that are named, at most. */
const MOST = 50;

/** @throws IndexError */
export function originsOf(database: Database, filter: RunFilter): Origins {
  const grouped = <Row>(column: 'version' | 'rig') => {
    const { [column]: _own, ...others } = filter;
    const { sql, values } = filterSql(others, {});
    return database.all<Row>(
      `SELECT ${column}, count(*) AS runs, max(started_ms) AS lastMs FROM runs
       WHERE damaged IS NULL AND ended = 1 AND ${column} IS NOT NULL AND ${sql}
       GROUP BY ${column} ORDER BY lastMs DESC LIMIT ${MOST}`,
      ...values,
    );
  };
  const versions =
    filter.scenario === undefined
      ? []
      : grouped<{ version: string; runs: number; lastMs: number }>('version');
  return {
    versions: versions.map(({ version, runs, lastMs }) => ({
      ...{ version, runs },
      last_at: new Date(lastMs).toISOString(),
    })),
    rigs: grouped<{ rig: string; runs: number }>('rig').map(({ rig, runs }) => ({ rig, runs })),
  };
}
