import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../lib/errors/reason.ts';
import { isCompleted, validateScenario } from '../scenario/profiles/report.ts';
import type { ValidationIssue } from '../scenario/profiles/report-shape.ts';
import { decode, MAX_SOURCE_BYTES } from '../scenario/source/decode.ts';
import { fileLoader } from '../scenario/syntax/file-loader.ts';
import { type Collection, MAX_UNANSWERED } from './collection.ts';
import { type ImportFile, importFiles } from './import-files.ts';
import { type RequestFault, reasonOfFault } from './request-fault.ts';
import { SyncError } from './sync-error.ts';

export interface ImportOptions {
  /** Validate each text against version 4 before it is sent. */
  readonly validate: boolean;
  /** Where INCLUDE looks besides the folder. */
  readonly libraryRoot?: string;
  /** No further scenario is sent once this is aborted. */
  readonly stop: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

interface Failure {
  readonly id: string;
  readonly file?: string;
  readonly reason: string;
  /** What keeps the text from being valid. */
  readonly errors?: readonly ValidationIssue[];
  /** HTTP status of the server's refusal. */
  readonly status?: number;
}

export interface ImportReport {
  /** Every scenario of the folder was imported or had nothing to import. */
  readonly ok: boolean;
  readonly imported: readonly { readonly id: string; readonly file: string }[];
  readonly failed: readonly Failure[];
  /** What was never sent. */
  readonly skipped: readonly { readonly id: string; readonly file?: string; readonly reason: string }[];
  /** Number of imported scenarios. */
  readonly count: number;
}

/**
 * Writes the scenario files of a folder into a collection: one PATCH for each, sent once. A file that fails keeps
 * none of the others from being imported.
 * @throws SyncError `folder_unreadable`, `manifest_invalid`
 */
export async function importFolder(
  collection: Collection,
  folder: string,
  options: ImportOptions,
): Promise<ImportReport> {
  const imported: ImportReport['imported'][number][] = [];
  const failed: Failure[] = [];
  const skipped: ImportReport['skipped'][number][] = [];
  const files = importFiles(folder);
  let unanswered = 0;
  for (const [index, one] of files.entries()) {
    options.onProgress?.({ done: index, total: files.length, failed: failed.length });
    const named = { id: one.id, ...(one.file === undefined ? {} : { file: one.file }) };
    const text = options.stop.aborted
      ? { skip: 'interrupted before it was sent' }
      : unanswered >= MAX_UNANSWERED
        ? { skip: 'not sent: the server does not answer' }
        : readScenario(folder, one);
    if ('skip' in text) skipped.push({ ...named, reason: text.skip });
    else if ('fail' in text) failed.push({ ...named, reason: text.fail });
    else {
      const invalid = options.validate ? await whyInvalid(text.text, folder, text.file, options) : undefined;
      const fault = invalid ?? (await send(collection, one.id, text.text));
      unanswered = fault && 'noAnswer' in fault ? unanswered + 1 : 0;
      if (fault) failed.push({ ...named, ...failureOf(fault) });
      else imported.push({ id: one.id, file: text.file });
    }
  }
  const ok = failed.length === 0 && !options.stop.aborted;
  return { ok, imported, failed, skipped, count: imported.length };
}

type Readable =
  | { readonly file: string; readonly text: string }
  | { readonly skip: string }
  | { readonly fail: string };

function readScenario(folder: string, { file, isAmbiguous }: ImportFile): Readable {
  if (isAmbiguous) return { fail: 'more than one file is for this id; keep one of them' };
  if (file === undefined) return { skip: 'the file that the manifest names is not in the folder' };
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(join(folder, file));
  } catch (cause) {
    return { fail: `cannot read the file: ${reasonOf(cause)}` };
  }
  const decoded = decode(bytes, MAX_SOURCE_BYTES);
  if ('fault' in decoded) return { fail: `the file is not a scenario text: ${decoded.detail}` };
  return decoded.text.trim() === '' ? { skip: 'the file is empty' } : { file, text: decoded.text };
}

interface Invalid {
  readonly reason: string;
  readonly errors: readonly ValidationIssue[];
}

async function whyInvalid(
  text: string,
  folder: string,
  file: string,
  { libraryRoot }: ImportOptions,
): Promise<Invalid | undefined> {
  const loader = fileLoader({ topDir: folder, ...(libraryRoot === undefined ? {} : { libraryRoot }) });
  const report = await validateScenario(text, join(folder, file), { as: 4, loader });
  if (report.valid) return undefined;
  if (!isCompleted(report)) return { reason: `it cannot be validated: ${report.fatal}`, errors: [] };
  const errors = report.issues.filter(({ severity }) => severity === 'error');
  return { reason: 'it is not valid as version 4', errors };
}

/** @returns why the text was not stored, or undefined */
async function send(collection: Collection, id: string, text: string): Promise<RequestFault | undefined> {
  try {
    return await collection.patch(id, text);
  } catch (thrown) {
    if (thrown instanceof SyncError) return { reason: thrown.message };
    throw thrown;
  }
}

function failureOf(fault: RequestFault | Invalid): Omit<Failure, 'id'> {
  if ('errors' in fault) return fault;
  const { status } = fault;
  return { reason: reasonOfFault(fault), ...(status === undefined ? {} : { status }) };
}
