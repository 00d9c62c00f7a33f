import { MAX_UNANSWERED, pagesOf, type RequestOptions, segment, shownUrl, store } from './collection.ts';
import { type MigrateOptions, migrateRow, type RowResult, type UnsupportedPart } from './migrate.ts';
import { reasonOfFault } from './request-fault.ts';
import { idOf, isObject } from './row.ts';
import { SyncError } from './sync-error.ts';

export type WriteMethod = 'PATCH' | 'PUT' | 'POST';

export interface MigrationOptions extends MigrateOptions {
  readonly sourceUrl: string;
  /** Only this row. */
  readonly scenario?: string;
  /** Writes what was migrated; undefined for a preview. The URL holds `{id}`. */
  readonly write?: { readonly method: WriteMethod; readonly url: string };
  /** For the requests that write. */
  readonly request: RequestOptions;
  /** Once this is aborted, reading ends and no further row is begun. */
  readonly stop: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** The result of a migration. */
export interface MigrationReport {
  /** Every row is of version 4, or was migrated and, where asked for, written. */
  readonly ok: boolean;
  readonly source_url: string;
  readonly apply: boolean;
  readonly summary: Readonly<Record<RowResult['status'] | 'rows' | 'written' | 'not_written', number>>;
  readonly results: readonly ResultRow[];
  /** The new texts of the rows that change. */
  readonly updates_preview: readonly { readonly id: string; readonly text: string }[];
  readonly updated_remote: readonly Written[];
  readonly unsupported: readonly ({ readonly id: string | null } & UnsupportedPart)[];
}

type ResultRow = Pick<RowResult, 'id' | 'from'> &
  (
    | { readonly status: 'migrated' | 'unchanged' | 'unsupported' }
    | Pick<Extract<RowResult, { status: 'invalid' }>, 'status' | 'errors'>
    | Pick<Extract<RowResult, { status: 'skipped' }>, 'status' | 'reason'>
  );

interface Written {
  readonly id: string;
  readonly ok: boolean;
  readonly reason?: string;
  /** HTTP status of a refusal. */
  readonly status?: number;
}

/**
 * Migrates the rows of a list to version 4, and writes `code` and `dsl` of each that changes, once.
 * @throws SyncError when the rows cannot be read, or the one that is wanted is not there
 */
export async function migrateRows(options: MigrationOptions): Promise<MigrationReport> {
  const { stop, write, onProgress } = options;
  const rows = await wantedRows(options);
  const results: RowResult[] = [];
  const written: Written[] = [];
  const seen = new Set<string>();
  let unanswered = 0;
  for (const [done, row] of rows.entries()) {
    onProgress?.({ done, total: rows.length });
    const id = isObject(row) ? idOf(row) : undefined;
    const why = stop.aborted
      ? 'interrupted before it was read'
      : id !== undefined && seen.has(id)
        ? 'the id came before'
        : undefined;
    const result = why === undefined ? await migrateRow(row, options) : skipped(id, why);
    results.push(result);
    if (id !== undefined) seen.add(id);
    if (result.status !== 'migrated' || !write || result.id === null) continue;
    const outcome: Written & { readonly noAnswer?: true } =
      unanswered >= MAX_UNANSWERED
        ? { id: result.id, ok: false, reason: 'not sent: the server does not answer' }
        : await writeRow(result.id, result, write, options.request);
    const { noAnswer, ...shown } = outcome;
    if (noAnswer) unanswered++;
    else if (unanswered < MAX_UNANSWERED) unanswered = 0;
    written.push(shown);
  }
  return reportOf(results, written, options);
}

async function wantedRows({
  sourceUrl,
  scenario,
  request: { clock },
  stop,
}: MigrationOptions): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for await (const page of pagesOf(sourceUrl, { clock, signal: stop })) rows.push(...page);
  if (scenario === undefined) return rows;
  const wanted = rows.filter((row) => isObject(row) && idOf(row) === scenario);
  if (wanted.length > 0) return wanted;
  throw new SyncError(
    'no_such_scenario',
    `${shownUrl(sourceUrl)} has no scenario ${JSON.stringify(scenario)} among its ${rows.length} rows`,
  );
}

const skipped = (id: string | undefined, reason: string): RowResult => ({
  id: id ?? null,
  from: 'row',
  status: 'skipped',
  reason,
});

async function writeRow(
  id: string,
  { text, row }: Extract<RowResult, { status: 'migrated' }>,
  { method, url }: NonNullable<MigrationOptions['write']>,
  request: RequestOptions,
): Promise<Written & { noAnswer?: true }> {
  let address: string;
  try {
    address = url.replaceAll('{id}', segment(id));
  } catch (thrown) {
    if (thrown instanceof SyncError) return { id, ok: false, reason: thrown.message };
    throw thrown;
  }
  const texts = { code: text, dsl: text };
  // Other methods than PATCH replace the row.
  const fault = await store(
    address,
    method,
    method === 'PATCH' ? texts : { ...row, ...texts },
    text,
    request,
  );
  if (!fault) return { id, ok: true };
  const { status, noAnswer } = fault;
  return {
    id,
    ok: false,
    reason: reasonOfFault(fault),
    ...(status === undefined ? {} : { status }),
    ...(noAnswer ? { noAnswer } : {}),
  };
}

function reportOf(
  results: readonly RowResult[],
  written: readonly Written[],
  { sourceUrl, write, stop }: MigrationOptions,
): MigrationReport {
  const count = (status: RowResult['status']) => results.filter((one) => one.status === status).length;
  const summary = {
    rows: results.length,
    migrated: count('migrated'),
    unchanged: count('unchanged'),
    unsupported: count('unsupported'),
    invalid: count('invalid'),
    skipped: count('skipped'),
    written: written.filter(({ ok }) => ok).length,
    not_written: written.filter(({ ok }) => !ok).length,
  };
  return {
    ok: summary.unsupported + summary.invalid + summary.not_written === 0 && !stop.aborted,
    source_url: shownUrl(sourceUrl),
    apply: write !== undefined,
    summary,
    results: results.map((one): ResultRow => {
      const { id, from } = one;
      if (one.status === 'invalid') return { id, from, status: one.status, errors: one.errors };
      if (one.status === 'skipped') return { id, from, status: one.status, reason: one.reason };
      return { id, from, status: one.status };
    }),
    updates_preview: results.flatMap((one) =>
      one.status === 'migrated' ? [{ id: one.id ?? '', text: one.text }] : [],
    ),
    updated_remote: written,
    unsupported: results.flatMap((one) =>
      one.status === 'unsupported' ? one.unsupported.map((part) => ({ id: one.id, ...part })) : [],
    ),
  };
}
