import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import type { RunEvent } from '../events/event.ts';
import { OutputError } from './output-error.ts';

export interface EventsFileOptions {
  /** The line of an event, without its end; default the event as JSON. Asked once for each event, in order. */
  readonly lineOf?: (event: RunEvent) => string;
  /** Where the file will be when somebody reads a message about it. */
  readonly shownAs?: string;
}

/**
 * The events of one run, one JSON line each, written as they happen and forced to the disk at every verdict: what was
 * decided survives a killed process and a power cut.
 */
export class EventsFile {
  readonly #path: string;
  readonly #lineOf: (event: RunEvent) => string;
  readonly #fd: number;
  #bytes = 0;
  #fault: OutputError | undefined;

  /** Starts the file anew: it holds one run. @throws OutputError */
  constructor(path: string, { lineOf = JSON.stringify, shownAs = path }: EventsFileOptions = {}) {
    this.#path = shownAs;
    this.#lineOf = lineOf;
    try {
      this.#fd = openSync(path, 'w');
      syncDirectory(dirname(path));
    } catch (cause) {
      throw new OutputError(`cannot write ${shownAs}: ${reasonOf(cause)}`, { cause });
    }
  }

  /** The first failed write. From then on nothing more is written: a file with holes would look complete. */
  get fault(): OutputError | undefined {
    return this.#fault;
  }

  /** Length of all whole lines. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Writes one event.
   * @throws OutputError once: a run whose record is lost has to end. What follows, teardown and safe state, goes
   * unrecorded.
   */
  append(event: RunEvent): void {
    if (this.#fault) return;
    try {
      const line = Buffer.from(`${this.#lineOf(event)}\n`);
      for (let written = 0; written < line.length; ) written += writeSync(this.#fd, line, written);
      if (isVerdict(event)) fsyncSync(this.#fd);
      this.#bytes += line.length;
    } catch (cause) {
      this.#fault = new OutputError(`cannot write ${this.#path}: ${reasonOf(cause)}`, { cause });
      throw this.#fault;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Events that somebody will rely on later. */
function isVerdict(event: RunEvent): boolean {
  if (event.type === 'check') return event.outcome !== 'passed';
  return event.type === 'block.end' || event.type === 'safe-state' || event.type === 'run.end';
}
