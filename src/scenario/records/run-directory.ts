import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import { EventsFile } from '../outputs/events-file.ts';
import type { EventChain } from './event-chain.ts';
import { RecordError } from './record-error.ts';
import { FILES, type RunFile } from './run-file.ts';

/**
 * Free space below which no run is begun: room for its events, so that a disk does not fill up in the middle of one.
 */
const MIN_FREE_BYTES = 32 * 1024 * 1024;

/** Of a directory that is being made. The index passes over it. */
export const UNFINISHED = '.new-';

/**
 * Makes the directory of a run: under another name first, and in place with one rename when all of it is on the disk.
 * @returns the open file of its events
 * @throws RecordError `record_unwritable`; nothing is left then
 */
export function makeRunDirectory(
  path: string,
  file: RunFile,
  scenario: Uint8Array,
  chain: EventChain,
): EventsFile {
  const parent = dirname(path);
  const unfinished = join(parent, `${UNFINISHED}${file.identity.run_id}`);
  let events: EventsFile | undefined;
  try {
    requireRoom(parent);
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished);
    synced(join(unfinished, FILES.scenario), scenario);
    synced(join(unfinished, FILES.run), runFileText(file));
    const lineOf: EventChain['lineOf'] = (event) => chain.lineOf(event);
    events = new EventsFile(join(unfinished, FILES.events), { lineOf, shownAs: join(path, FILES.events) });
    syncDirectory(unfinished);
    renameSync(unfinished, path);
    syncDirectory(parent);
    return events;
  } catch (cause) {
    events?.close();
    rmSync(unfinished, { recursive: true, force: true });
    if (cause instanceof RecordError) throw cause;
    throw unwritable(parent, reasonOf(cause), cause);
  }
}

export function unwritable(folder: string, why: string, cause?: unknown): RecordError {
  const remedy = "free space there, make it writable for the service's account, or set SVC_STATE_DIR";
  return new RecordError(
    'record_unwritable',
    `no run was started: it cannot be recorded in ${folder}: ${why}; ${remedy}`,
    { cause, problem: `${folder}: ${why}; ${remedy}` },
  );
}

/** @throws RecordError `record_unwritable` */
export function requireRoom(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= MIN_FREE_BYTES) return;
  throw unwritable(folder, `${Math.floor(free / 1024)} KiB are free, ${MIN_FREE_BYTES / 1024} are needed`);
}

export const runFileText = (file: RunFile): string => `${JSON.stringify(file, null, 1)}\n`;

function synced(path: string, content: string | Uint8Array): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
