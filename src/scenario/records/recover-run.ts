import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import type { RunEvent, SafeStateStep } from '../events/event.ts';
import { writeAtomically } from '../outputs/atomic-write.ts';
import { anchorOf, EventChain } from './event-chain.ts';
import { readEvents } from './read-events.ts';
import { RecordError } from './record-error.ts';
import { resultOfEvents } from './result-of-events.ts';
import type { RigKey } from './rig-key.ts';
import { endingOf, type RunEnding } from './run-ending.ts';
import { FILES, type RunFile } from './run-file.ts';
import type { RunIdentity } from './run-identity.ts';
import { sealRecord } from './seal-record.ts';
import { faultText, verifyRecord } from './verify-record.ts';

/** What was done about the rig that a cut run may have left moving. */
export interface LateSafeState {
  readonly ok: boolean;
  readonly simulated: boolean;
  readonly steps: readonly SafeStateStep[];
}

export interface Recovery {
  /** Seals the record. */
  readonly key: RigKey;
  /** Fingerprints of the keys by which a seal that is there already counts. */
  readonly keys: readonly string[];
  /** ISO time of now. */
  readonly at: string;
  /** Undefined when it is unknown how the rig was made safe. */
  readonly late?: LateSafeState | undefined;
  /** The record is known to have had an ending. */
  readonly endedBefore?: boolean | undefined;
}

/**
 * Ends the record of a run whose process died: everything up to the cut stays, and says so. A run that had reported its end
 * keeps its verdict; any other one is aborted.
 * @returns what `run.json` says now
 * @throws RecordError `record_damaged`: the record was ended before, and is not what it was
 */
export async function recoverRun(
  directory: string,
  { identity }: RunFile,
  { key, keys, at, late, endedBefore = false }: Recovery,
): Promise<RunFile> {
  const path = join(directory, FILES.events);
  if (existsSync(join(directory, FILES.seal))) await requireAsSealed(directory, identity, keys);
  else if (endedBefore) throw new RecordError('record_damaged', `${directory}: ${ENDING_REMOVED}`);
  if (!existsSync(path)) writeFileSync(path, '');
  const { events, bytes, last } = await readEvents(path, anchorOf(identity));
  const chain = new EventChain(last, events.length);
  const isClosed = events.at(-1)?.type === 'run.end';
  // A recovery that was interrupted itself has closed the events, but the run did not end.
  const hadEnded = isClosed && !events.slice(-MOST_CLOSING).some(tellsCut);
  if (!isClosed) events.push(...closing(events, at, late));
  const lines = events.slice(chain.count).map((event) => `${chain.lineOf(event)}\n`);
  const tornBytes = mend(path, join(directory, FILES.torn), bytes, lines.join(''));
  const result = resultOfEvents(events, identity.scenario.file, identity.created_at);
  const ended = endingOf(result, hadEnded ? (events.at(-1)?.time ?? at) : at, identity.mode === 'validate');
  const { events: _, ...rest } = result;
  writeAtomically(join(directory, FILES.result), `${JSON.stringify(rest)}\n`);
  const file: RunFile = {
    schema_version: 1,
    identity,
    ending: hadEnded ? ended : cut(ended, events),
    events: {
      count: chain.count,
      last_sha256: chain.last,
      complete: true,
      recovered: { at, torn_bytes: tornBytes, key: key.public.fingerprint },
    },
  };
  sealRecord(directory, file, key);
  return file;
}

/** Of a record that was ended and has neither ending nor seal now. */
export const ENDING_REMOVED =
  'the record is NOT SEALED: it had an ending, and ending and seal were removed; it stays as it is';

/**
 * A record that is sealed already was cut just before its ending was written; all else of it is complete.
 * @throws RecordError `record_damaged`: to seal it anew would hide that it was changed
 */
async function requireAsSealed(
  directory: string,
  identity: RunIdentity,
  keys: readonly string[],
): Promise<void> {
  const { faults } = await verifyRecord(directory, { keys, named: false, isEnding: true });
  const [fault] = faults;
  if (!fault) return;
  const message = `${directory}: ${faultText(fault)}; the record of ${identity.run_id} was changed and stays as it is`;
  throw new RecordError('record_damaged', message);
}

const CUT = 'the record ends here: the process exited before the run ended';

/** Events of `closing` at most. */
const MOST_CLOSING = 3;

const tellsCut = (event: RunEvent): boolean =>
  event.type === 'log' && event.level === 'error' && event.goal === null && event.message === CUT;

/** Had it taken the lease, nobody but the bridge knows what became of the rig. */
function cut(ending: RunEnding, events: readonly RunEvent[]): RunEnding {
  const leased = events.some((event) => event.type === 'lease' && event.action === 'acquire');
  const unknown = { outcome: 'unknown', reason: CUT, steps: [] } as const;
  return {
    ...ending,
    ok: false,
    errors: [...ending.errors, { code: 'cut', message: CUT }],
    safe_state: ending.safe_state ?? (leased ? unknown : null),
  };
}

/** The events that end a cut run: they report what is known now, and nothing of the time between. */
function closing(events: readonly RunEvent[], at: string, late: LateSafeState | undefined): RunEvent[] {
  const last = events.at(-1);
  const t = last?.t ?? 0;
  const simulated = events.some((event) => event.simulated);
  const bench = events.some((event) => event.bench === true) ? { bench: true } : {};
  const { passed, total, judged } = resultOfEvents(events, '', at);
  let seq = events.length;
  const common = () => ({ seq: seq++, t, time: at, goal: null, pos: null, simulated, ...bench });
  const closing: RunEvent[] = [{ ...common(), type: 'log', level: 'error', message: CUT }];
  if (late)
    closing.push({
      ...common(),
      simulated: simulated || late.simulated,
      type: 'safe-state',
      reason: 'the run was cut',
      ok: late.ok,
      steps: late.steps,
    });
  closing.push({
    ...common(),
    type: 'run.end',
    outcome: 'aborted',
    ok: false,
    judged,
    passed,
    total,
    durationMs: t,
  });
  return closing;
}

/**
 * Puts aside what lies behind the last good line, then adds the closing lines there.
 * @returns how many bytes were put aside
 */
function mend(path: string, aside: string, goodBytes: number, lines: string): number {
  const file = openSync(path, 'r+');
  try {
    const torn = Buffer.alloc(fstatSync(file).size - goodBytes);
    readSync(file, torn, 0, torn.length, goodBytes);
    if (torn.length > 0) {
      putAside(aside, torn);
      ftruncateSync(file, goodBytes);
    }
    if (lines !== '') writeSync(file, lines, goodBytes);
    fsyncSync(file);
    return torn.length;
  } finally {
    closeSync(file);
  }
}

/** On the disk before it goes from the events: the seal covers it. */
function putAside(path: string, torn: Uint8Array): void {
  const file = openSync(path, 'a');
  try {
    writeSync(file, torn);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncDirectory(dirname(path));
}
