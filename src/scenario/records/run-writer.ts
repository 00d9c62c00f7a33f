import { join } from 'node:path';
import type { RunEvent } from '../events/event.ts';
import { writeAtomically } from '../outputs/atomic-write.ts';
import type { EventsFile } from '../outputs/events-file.ts';
import { OutputError } from '../outputs/output-error.ts';
import type { Result } from '../run/result.ts';
import type { EventChain } from './event-chain.ts';
import type { RigKey } from './rig-key.ts';
import type { RunEnding } from './run-ending.ts';
import { FILES, type RunFile } from './run-file.ts';
import type { RunIdentity } from './run-identity.ts';
import { sealRecord } from './seal-record.ts';

/** The record of a run that goes on. */
export class RunWriter {
  readonly identity: RunIdentity;
  readonly directory: string;
  readonly #events: EventsFile;
  readonly #chain: EventChain;
  readonly #key: RigKey;
  /** Of what is written; the chain has seen the line that failed. */
  #written: { count: number; last: string };

  constructor(
    directory: string,
    identity: RunIdentity,
    { events, chain, key }: { events: EventsFile; chain: EventChain; key: RigKey },
  ) {
    this.directory = directory;
    this.identity = identity;
    this.#events = events;
    this.#chain = chain;
    this.#key = key;
    this.#written = { count: chain.count, last: chain.last };
  }

  get eventsPath(): string {
    return join(this.directory, FILES.events);
  }

  /** Length of the events that are written. */
  get bytes(): number {
    return this.#events.bytes;
  }

  /** Every event so far is in the record. */
  get complete(): boolean {
    return this.#events.fault === undefined;
  }

  /** @throws OutputError once, when the disk takes no more */
  append(event: RunEvent): void {
    this.#events.append(event);
    if (this.complete) this.#written = { count: this.#chain.count, last: this.#chain.last };
  }

  /**
   * Puts the ending down. The events are what counts: what cannot be written here, the next start makes from them.
   * @returns what the record says, and why the disk did not take it; then it says so and is not passed
   */
  end(ending: RunEnding, result: Result): { file: RunFile; fault?: OutputError } {
    this.#events.close();
    const { events: _, ...rest } = result;
    const { identity, directory, complete } = this;
    const { count, last } = this.#written;
    const events = { count, last_sha256: last, complete };
    const file: RunFile = { schema_version: 1, identity, ending, events };
    try {
      writeAtomically(join(directory, FILES.result), `${JSON.stringify(rest)}\n`);
      sealRecord(directory, file, this.#key, complete ? this.#chain.file : undefined);
      return { file };
    } catch (fault) {
      if (!(fault instanceof OutputError)) throw fault;
      return { file: { ...file, ending: unrecorded(ending, fault) }, fault };
    }
  }
}

/** The ending of a run whose record could not be sealed: a verdict without evidence is none. */
function unrecorded(ending: RunEnding, { message }: OutputError): RunEnding {
  const isGood = ending.status === 'passed' || ending.status === 'done';
  return {
    ...ending,
    status: isGood ? 'error' : ending.status,
    ok: false,
    errors: [
      ...ending.errors,
      {
        code: 'record_unwritable',
        message: `the record of the run could not be ended: ${message}; free space there, then restart svc-server, which ends the record from its events`,
      },
    ],
  };
}
