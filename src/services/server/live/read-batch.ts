import type { RunEvent } from '../../../scenario/events/event.ts';
import { readLines } from '../../../scenario/records/read-lines.ts';
import type { Followed } from '../runs/follow-events.ts';

/** Of the record that is read for one batch: a client that is far behind costs no more memory than another. */
const MOST_BYTES = 256 * 1024;

export interface ReadEvents {
  events: RunEvent[];
  /** There is more to be read at once. */
  isBehind: boolean;
  /** The last event of the run is among them. */
  isEnd: boolean;
}

/** Reads a run's events in parts, each at most once. */
export class BatchReader {
  readonly #run: Followed;
  #at = 0;
  #after: number;
  #isOver = false;

  /** @param after number of the last event that the client has; -1 for none */
  constructor(run: Followed, after: number) {
    this.#run = run;
    this.#after = after;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  onChange(listener: () => void): () => void {
    return this.#run.onChange(listener);
  }

  /** What was added since the last time. @throws the system's error */
  async read(): Promise<ReadEvents> {
    if (this.#isOver) return { events: [], isBehind: false, isEnd: false };
    // Asked before the length: what came with the end is read too.
    const { isOver, bytes } = this.#run;
    const from = this.#at;
    const events: RunEvent[] = [];
    for await (const { text, end } of readLines(this.#run.path, from, bytes)) {
      this.#at = end;
      const event = JSON.parse(text) as RunEvent;
      if (event.seq > this.#after) events.push(event);
      if (event.type === 'run.end') this.#isOver = true;
      if (end - from > MOST_BYTES) break;
    }
    const isBehind = !this.#isOver && this.#at < bytes && this.#at > from;
    if (!isBehind && isOver && !this.#isOver) {
      this.#isOver = true;
      const { unrecordedEnd } = this.#run;
      if (unrecordedEnd && unrecordedEnd.seq > this.#after) events.push(unrecordedEnd);
    }
    this.#after = events.at(-1)?.seq ?? this.#after;
    return { events, isBehind, isEnd: this.#isOver };
  }
}
