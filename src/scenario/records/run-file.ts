import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { RecordError } from './record-error.ts';
import type { RunEnding } from './run-ending.ts';
import type { RunIdentity } from './run-identity.ts';

/** Files of a run's directory. */
export const FILES = {
  run: 'run.json',
  events: 'events.ndjson',
  result: 'result.json',
  scenario: 'scenario.oql',
  /** What lay behind the last good line after a power cut. */
  torn: 'events.torn',
  /** Hashes of all files and the signature of the rig; written at the end of the run. */
  seal: 'seal.json',
  /** A record with it is never removed. No seal covers it. */
  keep: 'keep',
} as const;

/** `run.json`: written when the run is accepted, and once more when it has ended. */
export interface RunFile {
  readonly schema_version: 1;
  readonly identity: RunIdentity;
  /** Null while the run goes on, and of one that was cut. */
  readonly ending: RunEnding | null;
  /** The evidence it rests on; null like `ending`. */
  readonly events: EventsSeal | null;
}

export interface EventsSeal {
  readonly count: number;
  /** SHA-256 of the last line. */
  readonly last_sha256: string;
  /** False: the disk took no more, and the run ended as an error for it. */
  readonly complete: boolean;
  /** Present when the run was cut and ended by a later start. */
  readonly recovered?: {
    readonly at: string;
    readonly torn_bytes: number;
    /** Fingerprint of the key that sealed the ending. Not in older records: there it is the key of the run. */
    readonly key?: string;
  };
}

const text = z.string();
const flag = z.boolean();
const count = z.int().min(0);

const endingSchema = z.looseObject({
  status: z.enum(['passed', 'done', 'failed', 'error', 'inconclusive', 'aborted']),
  ok: flag,
  passed: count,
  total: count,
  started_at: text,
  ended_at: text,
  simulated: flag,
  bench: flag,
  errors: z.array(z.looseObject({ code: text, message: text })),
  variables: z.record(text, z.unknown()),
  safe_state: z.looseObject({ outcome: text, reason: text, steps: z.array(z.unknown()) }).nullable(),
});

const schema = z.looseObject({
  schema_version: z.literal(1),
  identity: z.looseObject({
    run_id: text,
    serial: count,
    created_at: text,
    scenario: z.looseObject({ id: text, file: text, sha256: text }),
    mode: z.enum(['execute', 'dry-run', 'validate']),
    hardware_mode: z.enum(['mock', 'real']),
    software: z.looseObject({ version: text }),
    firmware_url: text,
  }),
  ending: endingSchema.nullable(),
  events: z.looseObject({ count, last_sha256: text, complete: flag }).nullable(),
});

/**
 * What `run.json` says, exactly as it was written: the chain of events hangs on its text.
 * @throws RecordError `record_damaged`
 */
export function readRunFile(directory: string): RunFile {
  const path = join(directory, FILES.run);
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    schema.parse(read);
    return read as RunFile;
  } catch (cause) {
    const why =
      cause instanceof z.ZodError ? z.prettifyError(cause).replace(/\s*\n\s*/g, ' ') : messageOf(cause);
    throw new RecordError('record_damaged', `${path} is not a record of a run: ${why}`, { cause });
  }
}
