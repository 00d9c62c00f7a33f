import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import { reasonOf } from '../../../../lib/errors/reason.ts';
import { acceptedKeys } from '../../../../scenario/records/accepted-keys.ts';
import { RecordError } from '../../../../scenario/records/record-error.ts';
import { type RunFile, readRunFile } from '../../../../scenario/records/run-file.ts';
import { indexedRun } from '../indexed-run.ts';
import { byNumber, isRecordName } from '../known-records.ts';
import { distrustOf } from '../read-record.ts';
import { matches } from '../run-filter.ts';
import type { ListedRun, ListQuestion, RunList } from './list-runs.ts';

/** Directories that are read for one list; it ends there, and `next` goes on. */
const MOST_READ = 2000;
/** Others have a turn after so many. */
const TURN_EVERY = 20;

/**
 * A list without the index, for as long as there is none: newest first by the number in the run's id.
 * @throws RecordError where the folder or the key of the rig cannot be read
 */
export async function listDirectories(
  stateDir: string,
  { filter, limit, before, live }: ListQuestion,
): Promise<RunList> {
  const root = join(stateDir, 'runs');
  const keys = acceptedKeys(stateDir);
  const names = (await entriesOf(root)).filter(isRecordName).sort(byNumber).reverse();
  const from = before === undefined ? 0 : names.findIndex((name) => byNumber(name, before) < 0);
  const runs: ListedRun[] = [];
  let last: string | undefined;
  for (const name of from < 0 ? [] : names.slice(from, from + MOST_READ)) {
    if (runs.length === limit) break;
    const run = readListed(join(root, name), name);
    const isWanted =
      'file' in run ? matches(indexedRun(run.file), filter, live) : Object.keys(filter).length === 0;
    if (isWanted) runs.push('file' in run ? await judged(join(root, name), run.file, keys) : run);
    last = name;
    if (names.indexOf(name) % TURN_EVERY === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return { runs, next: last === undefined || last === names.at(-1) ? null : last };
}

/** None where there is no folder. @throws RecordError where it cannot be read */
async function entriesOf(root: string): Promise<string[]> {
  try {
    return await readdir(root);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new RecordError('record_unwritable', `the records in ${root} cannot be read: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

function readListed(directory: string, name: string): ListedRun {
  const damaged = (reason: string): ListedRun => ({ damaged: { run_id: name, reason, seal: 'tampered' } });
  try {
    const file = readRunFile(directory);
    if (file.identity.run_id === name) return { file, seal: null };
    return damaged(`${directory} is the record of ${file.identity.run_id}`);
  } catch (thrown) {
    if (!(thrown instanceof RecordError)) throw thrown;
    return damaged(messageOf(thrown));
  }
}

/** No verdict is listed that was not compared with its seal. @param keys undefined: any */
async function judged(
  directory: string,
  file: RunFile,
  keys: readonly string[] | undefined,
): Promise<ListedRun> {
  const { run_id } = file.identity;
  if (file.ending === null) return { file, seal: 'open' };
  const recorded = await distrustOf(directory, keys);
  if (recorded === undefined) return { file, seal: 'sealed' };
  return { damaged: { run_id, reason: recorded.damaged, seal: recorded.seal } };
}
