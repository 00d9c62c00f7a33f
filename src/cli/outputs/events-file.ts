import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { RunEvent } from '../../scenario/events/event.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { syncDirectory } from './atomic-write.ts';

/**
 * The events of one run, one JSON line each, written as they happen and forced to the disk at every verdict: what was
 * decided survives a killed process and a power cut.
 */
export class EventsFile {
  readonly #path: string;
  readonly #fd: number;
  #fault: CliError | undefined;

  /** Starts the file anew: it holds one run. @throws CliError `output_failed`, exit code 2 */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#fd = openSync(path, 'w');
      syncDirectory(dirname(path));
    } catch (cause) {
      throw new CliError('output_failed', `cannot write ${path}: ${messageOf(cause)}`, EXIT.usage, { cause });
    }
  }

  /** The first failed write. From then on nothing more is written: a file with holes would look complete. */
  get fault(): CliError | undefined {
    return this.#fault;
  }

  /**
   * Writes one event.
   * @throws CliError `output_failed` once, exit code 3: a run whose record is lost has to end. What follows, teardown
   * and safe state, goes unrecorded.
   */
  append(event: RunEvent): void {
    if (this.#fault) return;
    try {
      const line = Buffer.from(`${JSON.stringify(event)}\n`);
      for (let written = 0; written < line.length; ) written += writeSync(this.#fd, line, written);
      if (isVerdict(event)) fsyncSync(this.#fd);
    } catch (cause) {
      const message = `cannot write ${this.#path}: ${messageOf(cause)}`;
      this.#fault = new CliError('output_failed', message, EXIT.error, { cause });
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
