import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RunEvent, SafeStateStep } from '../events/event.ts';
import { writeAtomically } from '../outputs/atomic-write.ts';
import { anchorOf, EventChain } from './event-chain.ts';
import { readEvents } from './read-events.ts';
import { RecordError } from './record-error.ts';
import { resultOfEvents } from './result-of-events.ts';
import type { RigKey } from './rig-key.ts';
import { endingOf, type RunEnding } from './run-ending.ts';
import { FILES, type RunFile } from './run-file.ts';
import { readSeal } from './seal.ts';
import { sealRecord } from './seal-record.ts';

/** What was done about the rig that a cut run may have left moving. */
export interface LateSafeState {
  readonly ok: boolean;
  readonly simulated: boolean;
  readonly steps: readonly SafeStateStep[];
}

/**
 * Ends the record of a run whose process died: everything up to the cut stays, and says so. A run that had told its end
 * keeps its verdict; any other one is aborted.
 * @param key seals the record; @param at ISO time of now; @param late undefined when nobody knows how the rig was made safe
 * @returns what `run.json` says now
 */
export async function recoverRun(
  directory: string,
  { identity }: RunFile,
  key: RigKey,
  at: string,
  late?: LateSafeState,
): Promise<RunFile> {
  const path = join(directory, FILES.events);
  if (!existsSync(path)) writeFileSync(path, '');
  const { events, bytes, last } = await readEvents(path, anchorOf(identity));
  requireAsSealed(directory, events.length, last);
  const chain = new EventChain(last, events.length);
  const hadEnded = events.at(-1)?.type === 'run.end';
  if (!hadEnded) events.push(...closing(events, at, late));
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
      recovered: { at, torn_bytes: tornBytes },
    },
  };
  sealRecord(directory, file, key);
  return file;
}

/**
 * A record that is sealed already was cut just before its ending was written; its events are complete.
 * @throws RecordError `record_damaged`: to seal others would hide that they were changed
 */
function requireAsSealed(directory: string, count: number, last: string): void {
  const path = join(directory, FILES.seal);
  if (!existsSync(path)) return;
  const seal = readSeal(readFileSync(path, 'utf8'));
  const why =
    'fault' in seal
      ? seal.fault
      : seal.events.count === count && seal.events.last_sha256 === last
        ? undefined
        : `it seals ${seal.events.count} events, of which ${count} follow each other in ${FILES.events}`;
  if (why === undefined) return;
  throw new RecordError('record_damaged', `${path}: ${why}; the record was changed and stays as it is`);
}

const CUT = 'the record ends here: the process exited before the run ended';

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

/** The events that end a cut run: they tell what is known now, and nothing of the time between. */
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
      appendFileSync(aside, torn);
      ftruncateSync(file, goodBytes);
    }
    if (lines !== '') writeSync(file, lines, goodBytes);
    fsyncSync(file);
    return torn.length;
  } finally {
    closeSync(file);
  }
}
