import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../lib/errors/reason.ts';
import { loadScenario } from '../scenario/load.ts';
import { differenceOf, toV4 } from '../scenario/migrate/to-v4.ts';
import { isCompleted, validateScenario } from '../scenario/profiles/report.ts';
import { decode } from '../scenario/source/decode.ts';
import { fileLoader } from '../scenario/syntax/file-loader.ts';
import { isObject, type JsonObject, readRow } from './row.ts';

export interface MigrateOptions {
  /** Folder of macro libraries, and of the files that are preferred. */
  readonly libraryRoot: string | undefined;
  /** Take `<id>.oql` of that folder as the new text where there is one. */
  readonly preferLocal: boolean;
}

/** What has no form in version 4, or would mean something else there. */
export interface UnsupportedPart {
  readonly position: { readonly file: string; readonly line: number; readonly column: number };
  readonly reason: string;
}

/** What became of one row. */
export type RowResult = {
  readonly id: string | null;
  /** The row's text, or a file. */
  readonly from: 'row' | 'local';
} & (
  | { readonly status: 'migrated'; readonly text: string; readonly row: JsonObject }
  | { readonly status: 'unchanged' }
  | { readonly status: 'unsupported'; readonly unsupported: readonly UnsupportedPart[] }
  | { readonly status: 'invalid'; readonly errors: readonly RowError[] }
  /** It holds no scenario. */
  | { readonly status: 'skipped'; readonly reason: string }
);

export interface RowError {
  readonly line: number | null;
  readonly message: string;
}

/** Migrates the text of a row to version 4. Never throws for a row, whatever it holds. */
export async function migrateRow(value: unknown, options: MigrateOptions): Promise<RowResult> {
  const row =
    isObject(value) && !isText(value.dsl) && isText(value.code) ? { ...value, dsl: value.code } : value;
  const read = readRow(row);
  if (!('text' in read) || !isObject(row))
    return { id: read.id, from: 'row', status: 'skipped', reason: 'reason' in read ? read.reason : '' };
  const { id, text } = read;
  const local = options.preferLocal ? localText(id, options.libraryRoot) : undefined;
  const from = local === undefined ? 'row' : 'local';
  const { libraryRoot } = options;
  const load = { loader: fileLoader(libraryRoot === undefined ? {} : { libraryRoot }) };
  const file = `${id}.oql`;

  const both = contradiction(row, file, load);
  if (both) return { id, from, status: 'unsupported', unsupported: [both] };
  if (local && 'fault' in local)
    return { id, from, status: 'invalid', errors: [{ line: null, message: local.fault }] };
  const wanted = local?.text ?? text;
  const migrated = toV4(wanted, file, load);
  if (migrated.status === 'invalid')
    return {
      id,
      from,
      status: 'invalid',
      errors: migrated.errors.map(({ pos, code, message }) => ({
        line: pos.line,
        message: `${code}: ${message}`,
      })),
    };
  if (migrated.status === 'unsupported')
    return { id, from, status: 'unsupported', unsupported: migrated.unsupported.map(partOf) };

  const result = migrated.status === 'migrated' ? migrated.text : wanted;
  if (local !== undefined) {
    const difference = differenceOf(loadScenario(text, file, load), loadScenario(result, file, load));
    if (difference) return { id, from, status: 'unsupported', unsupported: [partOf(difference)] };
  }
  const report = await validateScenario(result, file, { as: 4, ...load });
  if (!report.valid) {
    const issues = isCompleted(report)
      ? report.issues.filter(({ severity }) => severity === 'error')
      : [{ line: null, rule: 'fatal', message: report.fatal }];
    const errors = issues.map(({ line, rule, message }) => ({ line, message: `${rule}: ${message}` }));
    return { id, from, status: 'invalid', errors };
  }
  const isStored = (['code', 'dsl'] as const).every((key) => !isText(row[key]) || row[key] === result);
  if (isStored) return { id, from, status: 'unchanged' };
  return { id, from, status: 'migrated', text: result, row };
}

/** Of a row whose `code` and `dsl` mean different things, neither can be taken for the scenario. */
function contradiction(
  { code, dsl }: JsonObject,
  file: string,
  load: Parameters<typeof loadScenario>[2],
): UnsupportedPart | undefined {
  if (!isText(code) || !isText(dsl) || code === dsl) return undefined;
  const [one, other] = [dsl, code].map((text) => loadScenario(text, file, load));
  const difference = differenceOf(one!, other!) ?? differenceOf(other!, one!);
  const hasErrors = [one!, other!].some(({ diagnostics }) =>
    diagnostics.some(({ severity }) => severity === 'error'),
  );
  if (!difference && !hasErrors) return undefined;
  return {
    position: difference ? partOf(difference).position : { file, line: 1, column: 1 },
    reason: 'code and dsl of the row mean different things; make them equal first',
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const partOf = ({
  pos,
  reason,
}: {
  pos: { file: string; line: number; col: number };
  reason: string;
}): UnsupportedPart => ({ position: { file: pos.file, line: pos.line, column: pos.col }, reason });

/** The file of an id, or why it cannot be read; undefined without one, and for an id that is not a plain file name. */
function localText(id: string, folder: string | undefined): { text: string } | { fault: string } | undefined {
  if (folder === undefined || !/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(id)) return undefined;
  const path = join(folder, `${id}.oql`);
  if (!existsSync(path)) return undefined;
  try {
    const decoded = decode(readFileSync(path));
    return 'text' in decoded ? decoded : { fault: `${path} is not a scenario text: ${decoded.detail}` };
  } catch (thrown) {
    return { fault: `cannot read ${path}: ${reasonOf(thrown)}` };
  }
}
