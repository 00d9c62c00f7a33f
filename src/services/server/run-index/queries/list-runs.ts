import { type RunFile, readRunFile } from '../../../../scenario/records/run-file.ts';
import type { SealState } from '../../../../scenario/records/verify-record.ts';
import { filterSql, type LiveStatuses, type RunFilter } from '../run-filter.ts';
import type { RunIndex } from '../run-index.ts';

/** `newest` and `oldest` by the order in which the runs were asked for; else by a text, runs without it last. */
export const SORTS = ['newest', 'oldest', 'serial', 'scenario', 'operator', 'status'] as const;
export type RunSort = (typeof SORTS)[number];

export interface ListQuestion {
  readonly filter: RunFilter;
  /** `newest` unless given. */
  readonly sort?: RunSort | undefined;
  /** Runs at most. */
  readonly limit: number;
  /** Id of the run that the list begins behind. */
  readonly before?: string | undefined;
  readonly live: LiveStatuses;
}

/**
 * A record in a list; of a damaged one only its name and the reason. `seal`: what it is worth; null: it was not compared
 * with its seal.
 */
export type ListedRun =
  | { readonly file: RunFile; readonly seal: SealState | null }
  | { readonly damaged: DamagedRun };

export interface DamagedRun {
  readonly run_id: string;
  readonly reason: string;
  readonly seal: SealState;
}

export interface RunList {
  readonly runs: readonly ListedRun[];
  /** For `before` of the next part; null at the end. */
  readonly next: string | null;
}

interface Row {
  run_id: string;
  head: string;
  ended: number;
  evidence: string | null;
  damaged: string | null;
  seal: SealState | null;
}

const ROW = 'SELECT run_id, head, ended, evidence, damaged, seal FROM runs';

/** What a record is worth. */
export interface SealOf {
  readonly seal: SealState | null;
  /** Why it cannot be trusted; null where nothing speaks against it. */
  readonly reason: string | null;
}

/** Records may change while they are listed; then the list is made again. */
const MOST_ROUNDS = 5;
/** Runs of a list whose files are read for it where the index has not done so. */
const MOST_READ = 101;

/** In the order asked for. Every run in the list is read from its directory, so that it shows what is there now. @throws IndexError */
export async function listRuns(index: RunIndex, question: ListQuestion): Promise<RunList> {
  for (let round = 1; ; round++) {
    // What failed first is in the events of a run.
    if (question.filter.failed === undefined) index.catchUp();
    else await index.catchUpValues();
    const rows = rowsOf(index, question);
    if (round < MOST_ROUNDS && !(await areCurrent(index, rows))) continue;
    const shown = rows.slice(0, question.limit);
    return {
      runs: shown.map((row) => listed(index, row, question.live)),
      next: rows.length > shown.length ? (shown.at(-1)?.run_id ?? null) : null,
    };
  }
}

/** Columns of an order, and its direction. All of them go the same way, so that a place in it is one comparison of rows. */
function orderOf(sort: RunSort): { columns: string[]; direction: 'ASC' | 'DESC' } {
  const place = ['position', 'run_id'];
  if (sort === 'newest' || sort === 'oldest')
    return { columns: place, direction: sort === 'newest' ? 'DESC' : 'ASC' };
  return { columns: [`${sort} IS NULL`, `coalesce(${sort}, '')`, ...place], direction: 'ASC' };
}

function rowsOf(index: RunIndex, { filter, sort = 'newest', limit, before, live }: ListQuestion): Row[] {
  const { sql, values } = filterSql(filter, live);
  const { columns, direction } = orderOf(sort);
  const row = columns.join(', ');
  const [behind, place] =
    before === undefined
      ? ['', []]
      : [
          ` AND (${row}) ${direction === 'ASC' ? '>' : '<'} (SELECT ${row} FROM runs WHERE run_id = ?)`,
          [before],
        ];
  return index.ask((database) =>
    database.all<Row>(
      `${ROW} WHERE ${sql}${behind} ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')} LIMIT ?`,
      ...values,
      ...place,
      limit + 1,
    ),
  );
}

async function areCurrent(index: RunIndex, rows: readonly Row[]): Promise<boolean> {
  let current = true;
  for (const { run_id, head, evidence, ended, damaged } of rows) {
    // The other files of a new record are read now, so that a list never shows a changed one as good; in a long list
    // that would take too long while the index is being made.
    const isRead = evidence !== null || (ended === 1 && damaged === null && rows.length <= MOST_READ);
    if (!(await index.isCurrent(run_id, head, isRead ? evidence : 'unread'))) current = false;
  }
  return current;
}

function listed(index: RunIndex, { run_id, damaged, seal }: Row, live: LiveStatuses): ListedRun {
  // A run that goes on may have the number of one that was removed.
  if (damaged !== null && live[run_id] === undefined)
    return { damaged: { run_id, reason: damaged, seal: seal ?? 'tampered' } };
  return { file: readRunFile(index.directoryOf(run_id)), seal };
}

/** What the record of one run is worth; null: there is no such record. @throws IndexError */
export async function sealOf(index: RunIndex, runId: string): Promise<SealOf | null> {
  for (let round = 1; ; round++) {
    index.catchUp();
    const row = index.ask((database) => database.get<Row>(`${ROW} WHERE run_id = ?`, runId));
    if (!row) return null;
    if (round >= MOST_ROUNDS || (await areCurrent(index, [row])))
      return { seal: row.seal, reason: row.damaged };
  }
}
