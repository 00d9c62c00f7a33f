import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { removeDurably, writeDurably } from '../../lib/files/durable-file.ts';

/** A stop by a person or by a caller of unknown identity (SVC-049). */
export interface OperatorStop {
  /** Of this stop alone: who clears it names it, and no later one is cleared with it. */
  id: string;
  /** Who, for people: `anna@rig`. */
  by: string;
  /** Why, for example `operator`. */
  reason: string;
  /** ISO time. */
  at: string;
}

/** Where a stop is kept, so that it outlives the processes of the rig. */
export interface OperatorStopRecord {
  /** The stop that is recorded. A record that cannot be read counts as a stop by `unknown`. Never throws. */
  read(): OperatorStop | undefined;
  /** @throws Error when it is not on the disk */
  write(stop: OperatorStop): Promise<void>;
  /** @throws Error when it may come back after a power cut */
  remove(): Promise<void>;
}

/** `SVC_STATE_DIR/operator-stop.json`: bridge and guard share it. */
export class OperatorStopFile implements OperatorStopRecord {
  readonly #path: string;

  constructor(stateDir: string) {
    this.#path = join(stateDir, 'operator-stop.json');
  }

  read(): OperatorStop | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : unreadable(this.#path, reasonOf(fault));
    }
    return parsed(text) ?? unreadable(this.#path, 'damaged');
  }

  write(stop: OperatorStop): Promise<void> {
    return writeDurably(this.#path, `${JSON.stringify(stop)}\n`);
  }

  remove(): Promise<void> {
    return removeDurably(this.#path);
  }
}

/** Outlives nothing but the bridge that uses it: for a rig that drives no device. */
export class OperatorStopMemory implements OperatorStopRecord {
  #stop: OperatorStop | undefined;

  read(): OperatorStop | undefined {
    return this.#stop;
  }

  async write(stop: OperatorStop): Promise<void> {
    this.#stop = stop;
  }

  async remove(): Promise<void> {
    this.#stop = undefined;
  }
}

function parsed(text: string): OperatorStop | undefined {
  try {
    return operatorStopOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const LONGEST_NAME = 100;
/** Also that of an older version, which is its time. People paste it into a shell. */
const ID = /^[\w:.+-]{1,64}$/;

/** One line without control characters. */
export function plain(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return line === '' ? 'unknown' : line.slice(0, LONGEST_NAME);
}

/** A stop as JSON has it; undefined for anything else. That of an older version has no id. */
export function operatorStopOf(value: unknown): OperatorStop | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { by, reason, at, id = at } = value as Record<string, unknown>;
  const isWhole = [id, by, reason, at].every((member) => typeof member === 'string') && ID.test(String(id));
  return isWhole
    ? { id: String(id), by: plain(String(by)), reason: plain(String(reason)), at: plain(String(at)) }
    : undefined;
}

/** Id of a stop whose record cannot be read. */
export const UNREADABLE = 'unreadable';

const unreadable = (path: string, why: string): OperatorStop => ({
  id: UNREADABLE,
  by: 'unknown',
  reason: `${path} cannot be read (${why})`,
  at: 'unknown',
});
