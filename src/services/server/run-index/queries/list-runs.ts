import { type RunFile, readRunFile } from '../../../../scenario/records/run-file.ts';
import { filterSql, type LiveStatuses, type RunFilter } from '../run-filter.ts';
import type { RunIndex } from '../run-index.ts';

export interface ListQuestion {
  readonly filter: RunFilter;
  /** Runs at most. */
  readonly limit: number;
  /** Id of the run that the list begins behind. */
  readonly before?: string | undefined;
  readonly live: LiveStatuses;
}

/** A record in a list; of a damaged one only its name and the reason. */
export type ListedRun = { readonly file: RunFile } | { readonly damaged: DamagedRun };

export interface DamagedRun {
  readonly run_id: string;
  readonly reason: string;
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
}

/** Records may change while they are listed; then the list is made again. */
const MOST_ROUNDS = 5;
/** Runs of a list whose files are read for it where the index has not done so. */
const MOST_READ = 101;

/** Newest first. Every run in the list is read from its directory, so that it shows what is there now. @throws IndexError */
export async function listRuns(index: RunIndex, question: ListQuestion): Promise<RunList> {
  for (let round = 1; ; round++) {
    index.catchUp();
    const rows = rowsOf(index, question);
    if (round < MOST_ROUNDS && !(await areCurrent(index, rows))) continue;
    const shown = rows.slice(0, question.limit);
    return {
      runs: shown.map((row) => listed(index, row)),
      next: rows.length > shown.length ? (shown.at(-1)?.run_id ?? null) : null,
    };
  }
}

function rowsOf(index: RunIndex, { filter, limit, before, live }: ListQuestion): Row[] {
  const { sql, values } = filterSql(filter, live);
  const [behind, place] =
    before === undefined
      ? ['', []]
      : [' AND (position, run_id) < (SELECT position, run_id FROM runs WHERE run_id = ?)', [before]];
  return index.ask((database) =>
    database.all<Row>(
      `SELECT run_id, head, ended, evidence, damaged FROM runs WHERE ${sql}${behind} ORDER BY position DESC, run_id DESC LIMIT ?`,
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

function listed(index: RunIndex, { run_id, damaged }: Row): ListedRun {
  if (damaged !== null) return { damaged: { run_id, reason: damaged } };
  return { file: readRunFile(index.directoryOf(run_id)) };
}
