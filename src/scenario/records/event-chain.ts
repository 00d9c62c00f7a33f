import crypto, { createHash } from 'node:crypto';
import type { RunEvent } from '../events/event.ts';

/** In one call where Node has that (20.12 and later): half the time for the line of an event. */
export const sha256: (data: string | Uint8Array) => string =
  typeof crypto.hash === 'function'
    ? (data) => crypto.hash('sha256', data)
    : (data) => createHash('sha256').update(data).digest('hex');

/** Where the chain of a run hangs: on all that was known before its first event. */
export const anchorOf = (identity: object): string => sha256(JSON.stringify(identity));

/** Lines of which each carries the SHA-256 of the one before, so that none can be changed, left out or put in unseen. */
export class EventChain {
  #last: string;
  #count: number;
  readonly #text = createHash('sha256');
  #bytes = 0;

  /** @param last hash of the line that the next one follows; of the first one its anchor. @param count lines before */
  constructor(last: string, count = 0) {
    this.#last = last;
    this.#count = count;
  }

  /** Hash of the last line. */
  get last(): string {
    return this.#last;
  }

  get count(): number {
    return this.#count;
  }

  /** All lines so far with their ends, as one file. Only for a chain that began with its first line. */
  get file(): { readonly bytes: number; readonly sha256: string } {
    return { bytes: this.#bytes, sha256: this.#text.copy().digest('hex') };
  }

  /** The line of the next event. */
  lineOf(event: RunEvent): string {
    // An event is an object with members: a copy of it with one more costs more than its text.
    const line = `${JSON.stringify(event).slice(0, -1)},"prev":"${this.#last}"}`;
    this.#take(line);
    return line;
  }

  /** The event of the next line; undefined when it is not the next one. */
  eventOf(line: string): RunEvent | undefined {
    let read: unknown;
    try {
      read = JSON.parse(line);
    } catch {
      return undefined;
    }
    if (typeof read !== 'object' || read === null) return undefined;
    const { prev, ...event } = read as RunEvent & { prev?: unknown };
    if (prev !== this.#last || event.seq !== this.#count) return undefined;
    this.#take(line);
    return event;
  }

  #take(line: string): void {
    this.#last = sha256(line);
    this.#count += 1;
    this.#text.update(`${line}\n`);
    this.#bytes += Buffer.byteLength(line) + 1;
  }
}
