import type { IndexedRun, RunHardware } from './indexed-run.ts';

/** Which runs; all conditions hold together. */
export interface RunFilter {
  readonly status?: string | undefined;
  readonly scenario?: string | undefined;
  readonly serial?: string | undefined;
  readonly part?: string | undefined;
  readonly batch?: string | undefined;
  readonly operator?: string | undefined;
  /** SHA-256 of the text of the scenario: its version. */
  readonly version?: string | undefined;
  /** Id of the rig that ran it. */
  readonly rig?: string | undefined;
  /** Key of the measurement that failed first; only the index knows it. */
  readonly failed?: string | undefined;
  /** Start of the run, ms, included. */
  readonly sinceMs?: number | undefined;
  /** Left out. */
  readonly untilMs?: number | undefined;
  readonly hardware?: RunHardware | undefined;
  /** Part of a run id, scenario, serial number, part, batch or operator; upper and lower case are the same. */
  readonly search?: string | undefined;
}

/** Statuses of runs that are under way in this process. The record of one has no ending. */
export type LiveStatuses = Readonly<Record<string, string>>;

/** A run without an ending that nobody carries on was cut. */
export const statusOf = (run: Pick<IndexedRun, 'runId' | 'status'>, live: LiveStatuses): string =>
  live[run.runId] ?? run.status ?? 'aborted';

const EXACT = ['scenario', 'serial', 'part', 'batch', 'operator', 'version', 'rig', 'hardware'] as const;

/** Whether a run is among those of a filter: in the words of this language what `filterSql` says to SQLite, without `failed`. */
export function matches(run: IndexedRun, filter: RunFilter, live: LiveStatuses): boolean {
  const { status, sinceMs, untilMs, search } = filter;
  return (
    EXACT.every((name) => filter[name] === undefined || filter[name] === run[name]) &&
    (status === undefined || status === statusOf(run, live)) &&
    (sinceMs === undefined || run.startedMs >= sinceMs) &&
    (untilMs === undefined || run.startedMs < untilMs) &&
    (search === undefined || run.search.includes(search.toLowerCase()))
  );
}

export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The condition on a row of `runs`. */
export function filterSql(filter: RunFilter, live: LiveStatuses): SqlCondition {
  const parts: SqlCondition[] = EXACT.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ sql: `runs.${name} = ?`, values: [value] }];
  });
  const { status, sinceMs, untilMs, search, failed } = filter;
  if (failed !== undefined)
    parts.push({ sql: 'runs.failed_key = (SELECT id FROM keys WHERE key = ?)', values: [failed] });
  if (status !== undefined) parts.push(statusSql(status, live));
  if (sinceMs !== undefined) parts.push({ sql: 'runs.started_ms >= ?', values: [sinceMs] });
  if (untilMs !== undefined) parts.push({ sql: 'runs.started_ms < ?', values: [untilMs] });
  if (search !== undefined) parts.push({ sql: 'instr(runs.search, ?) > 0', values: [search.toLowerCase()] });
  return {
    sql: parts.length === 0 ? '1' : parts.map(({ sql }) => sql).join(' AND '),
    values: parts.flatMap(({ values }) => values),
  };
}

/** Whether a filter may leave the first run of a unit out. */
export const narrows = (filter: RunFilter): boolean =>
  filter.sinceMs !== undefined ||
  filter.status !== undefined ||
  filter.operator !== undefined ||
  filter.batch !== undefined ||
  filter.version !== undefined ||
  filter.rig !== undefined ||
  filter.failed !== undefined ||
  filter.search !== undefined;

/** All runs of the units: what they are, not when and how they were tested. */
export const widened = ({ scenario, hardware, part, serial }: RunFilter): RunFilter => ({
  scenario,
  hardware,
  part,
  serial,
});

/** Members of a filter that the narrow index on runs covers. */
const COVERED: ReadonlySet<string> = new Set(['hardware', 'scenario', 'sinceMs', 'untilMs']);

/**
 * How statistics join the runs of many values: by the narrow index, which stays in the cache, where it has all that the
 * filter asks for. Rows of the table itself take four times as long.
 */
export const runsOfValues = (filter: RunFilter): string =>
  isCovered(filter) ? 'runs INDEXED BY runs_of_values' : 'runs';

const isCovered = (filter: RunFilter): boolean =>
  Object.entries(filter).every(([name, value]) => value === undefined || COVERED.has(name));

/**
 * The condition that a column names one of the readable runs of a filter. Where the narrow index has all that the filter asks
 * for, the others are left out: they are few, or found in it, and a million values are then looked up in a short list.
 */
export function runsSql(filter: RunFilter, column: string): SqlCondition {
  const { sql, values } = filterSql(filter, {});
  const wanted = `runs.damaged IS NULL AND ${sql}`;
  // A text that is missing is not the one that is asked for.
  const others = `SELECT id FROM runs INDEXED BY runs_of_values WHERE NOT ifnull(${wanted}, 0)`;
  return isCovered(filter)
    ? { sql: `${column} NOT IN (${others})`, values }
    : { sql: `${column} IN (SELECT id FROM runs WHERE ${wanted})`, values };
}

function statusSql(status: string, live: LiveStatuses): SqlCondition {
  const ids = Object.keys(live);
  const alike = ids.filter((id) => live[id] === status);
  const marks = (some: readonly string[]) => some.map(() => '?').join(', ');
  const cut = status === 'aborted' ? ' OR (runs.status IS NULL AND runs.damaged IS NULL)' : '';
  return {
    sql: `(runs.run_id IN (${marks(alike)}) OR (runs.run_id NOT IN (${marks(ids)}) AND (runs.status = ?${cut})))`,
    values: [...alike, ...ids, status],
  };
}
