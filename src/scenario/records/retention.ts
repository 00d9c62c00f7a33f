import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import { RecordError } from './record-error.ts';
import { FILES, type RunFile, readRunFile } from './run-file.ts';

const DAY_MS = 86_400_000;
/** A younger run never goes, whatever the rules say. */
export const ALWAYS_KEPT_DAYS = 30;
/** One line for each run that was removed, in the state folder. */
export const REMOVED_FILE = 'runs.removed.ndjson';
/** Of a record that is being removed. The index passes over it. */
const REMOVING = '.removing-';
const RECORD = /^r-\d{8}-\d{4,}$/;

/** `records` of svc.yaml. */
export interface RetentionRules {
  /** Days that a run is kept after its end; undefined: for ever. */
  readonly keepDays?: number | undefined;
  /** MB (10^6 bytes) of all records; undefined: without limit. */
  readonly maxMb?: number | undefined;
}

/** A run that was removed. */
export interface RemovedRun {
  readonly run_id: string;
  readonly scenario: string;
  readonly unit_under_test: string | null;
  readonly status: string;
  /** ISO time. */
  readonly ended_at: string;
  readonly removed_at: string;
  /** `records.keep_days` or `records.max_mb`, with its value. */
  readonly rule: string;
  readonly seal: unknown;
}

export interface RetentionResult {
  readonly removed: readonly RemovedRun[];
  /** Records that could not be removed and stay, one sentence each. */
  readonly faults: readonly string[];
  /** MB that all records have beyond `maxMb` although nothing more may go; 0 for none. */
  readonly beyondMb: number;
}

/**
 * Removes the runs that the rules no longer keep, oldest first: never one that has not ended, that is younger than 30
 * days, whose time is not certain (no time server had set the clock), that has the file `keep`, or whose `run.json` cannot
 * be read. Each is on the list of removed runs before its
 * files go; a removal that was cut is completed by the next call.
 * @param nowMs wall clock, which has to be right
 * @throws RecordError `record_unwritable`
 */
export async function removeExpired(
  stateDir: string,
  { keepDays, maxMb }: RetentionRules,
  nowMs: number,
): Promise<RetentionResult> {
  const root = join(stateDir, 'runs');
  const removed: RemovedRun[] = [];
  const faults: string[] = [];
  /** One record that cannot be handled is no reason to keep the others. */
  const attempt = async <T>(
    name: string,
    work: (directory: string) => Promise<T>,
  ): Promise<T | undefined> => {
    const directory = join(root, name);
    try {
      return await work(directory);
    } catch (thrown) {
      if (thrown instanceof RecordError) throw thrown;
      faults.push(`${directory} cannot be removed and stays: ${reasonOf(thrown)}`);
      return undefined;
    }
  };
  const removeOlder = (name: string, days: number, rule: string) =>
    attempt(name, async (directory) => {
      const file = removable(directory, days, nowMs);
      if (!file) return false;
      removed.push(await removeRun(stateDir, name, file, { rule, nowMs }));
      return true;
    });
  const entries = await readdir(root).catch((cause: unknown) => {
    const message = `records in ${root} that have expired cannot be removed: ${reasonOf(cause)}`;
    throw new RecordError('record_unwritable', message, { cause });
  });
  for (const name of entries.filter((one) => one.startsWith(REMOVING)))
    await attempt(name, (directory) => rm(directory, { recursive: true }));
  const left = new Set(entries.filter((name) => RECORD.test(name)).sort());
  if (keepDays !== undefined)
    for (const name of [...left])
      if (await removeOlder(name, Math.max(keepDays, ALWAYS_KEPT_DAYS), `records.keep_days ${keepDays}`))
        left.delete(name);
  if (maxMb === undefined) return { removed, faults, beyondMb: 0 };
  const sizes = new Map<string, number>();
  for (const name of left) sizes.set(name, (await attempt(name, sizeOf)) ?? 0);
  let bytes = [...sizes.values()].reduce((sum, one) => sum + one, 0);
  for (const [name, size] of sizes) {
    if (bytes <= maxMb * 1e6) break;
    if (await removeOlder(name, ALWAYS_KEPT_DAYS, `records.max_mb ${maxMb}`)) bytes -= size;
  }
  return { removed, faults, beyondMb: Math.max(0, Math.ceil(bytes / 1e6 - maxMb)) };
}

/** What `run.json` says of a run that may go; undefined: it stays. */
function removable(directory: string, days: number, nowMs: number): RunFile | undefined {
  if (existsSync(join(directory, FILES.keep))) return undefined;
  let file: RunFile;
  try {
    file = readRunFile(directory);
  } catch (thrown) {
    // A damaged record is a matter for a person.
    if (thrown instanceof RecordError) return undefined;
    throw thrown;
  }
  const { identity, ending } = file;
  if (!ending) return undefined;
  // By a clock that runs behind, a run of today is years old.
  if (identity.clock?.synchronised !== true) return undefined;
  // Both, since the clock may have been wrong at one of them; a time that cannot be read keeps the run.
  const youngest = Math.max(Date.parse(ending.ended_at), Date.parse(identity.created_at));
  return youngest < nowMs - days * DAY_MS ? file : undefined;
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory)) bytes += (await lstat(join(directory, name))).size;
  return bytes;
}

async function removeRun(
  stateDir: string,
  name: string,
  file: RunFile,
  { rule, nowMs }: { rule: string; nowMs: number },
): Promise<RemovedRun> {
  const directory = join(stateDir, 'runs', name);
  const aside = join(stateDir, 'runs', `${REMOVING}${name}`);
  const entry = entryOf(directory, file, rule, nowMs);
  note(stateDir, entry);
  await rename(directory, aside);
  syncDirectory(dirname(directory));
  await rm(aside, { recursive: true });
  return entry;
}

function entryOf(directory: string, { identity, ending }: RunFile, rule: string, nowMs: number): RemovedRun {
  const seal = join(directory, FILES.seal);
  return {
    run_id: identity.run_id,
    scenario: identity.scenario.id,
    unit_under_test: identity.unit_under_test,
    status: ending?.status ?? 'aborted',
    ended_at: ending?.ended_at ?? identity.created_at,
    removed_at: new Date(nowMs).toISOString(),
    rule,
    // A seal that was kept elsewhere can be compared with it.
    seal: existsSync(seal) ? JSON.parse(readFileSync(seal, 'utf8')) : null,
  };
}

/** On the disk before the record goes. @throws RecordError `record_unwritable` */
function note(stateDir: string, entry: RemovedRun): void {
  const path = join(stateDir, REMOVED_FILE);
  try {
    const file = openSync(path, 'a');
    try {
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    syncDirectory(stateDir);
  } catch (cause) {
    const message = `no record is removed: ${path} cannot be written: ${reasonOf(cause)}; make it writable for the service's account`;
    throw new RecordError('record_unwritable', message, { cause });
  }
}

/** The runs that were removed, in that order; a line that was cut is passed over. @throws the system's error */
export function removedRuns(stateDir: string): RemovedRun[] {
  const path = join(stateDir, REMOVED_FILE);
  if (!existsSync(path)) return [];
  const byId = new Map<string, RemovedRun>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const entry = entryIn(line);
    // A removal that was cut between its line and the folder has a second line.
    if (entry) byId.set(entry.run_id, entry);
  }
  return [...byId.values()];
}

function entryIn(line: string): RemovedRun | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null && 'run_id' in entry
      ? (entry as RemovedRun)
      : undefined;
  } catch {
    return undefined;
  }
}
