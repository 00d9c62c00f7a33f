import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { readLines } from '../../../scenario/records/read-lines.ts';
import type { Followed } from '../runs/follow-events.ts';
import { damagedLine, recordedEvent } from '../runs/recorded-event.ts';

/** Of the record that is read for one batch: a client that is far behind costs no more memory than another. */
const MOST_BYTES = 256 * 1024;

export interface ReadEvents {
  events: RunEvent[];
  /** There is more to be read at once. */
  isBehind: boolean;
  /** The last event of the run is among them. */
  isEnd: boolean;
  /** Why events are missing; null when none is. */
  fault: string | null;
  /** The rest of the record could not be read; a later try may read it. */
  isUnread: boolean;
}

/**
 * Reads a run's events in parts, each at most once. A damaged line is left out and stays reported; what stands before and
 * behind it is read. When the file cannot be read, the next call goes on behind the last line that was.
 */
export class BatchReader {
  readonly #run: Followed;
  #at = 0;
  #line = 0;
  #after: number;
  #isOver = false;
  /** The first damaged line, in words. */
  #damage: string | null = null;

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

  /** What was added since the last time. */
  async read(): Promise<ReadEvents> {
    if (this.#isOver)
      return { events: [], isBehind: false, isEnd: false, fault: this.#damage, isUnread: false };
    // Asked before the length: what came with the end is read too.
    const { isOver, bytes } = this.#run;
    const from = this.#at;
    const events: RunEvent[] = [];
    let unread: string | null = null;
    try {
      const isLast = (event: RunEvent | undefined, end: number): boolean => {
        this.#at = end;
        this.#line++;
        this.#take(event, events);
        return end - from > MOST_BYTES;
      };
      // From memory where they are: ten pages ask for 16,000 events a second, of which none is waited for alone.
      const recent = this.#run.recent?.(from);
      if (recent) recent.some(({ event, end }) => isLast(event, end));
      else
        for await (const { text, end } of readLines(this.#run.path, from, bytes))
          if (isLast(recordedEvent(text), end)) break;
    } catch (thrown) {
      unread = messageOf(thrown);
    }
    const isBehind = unread === null && !this.#isOver && this.#at < bytes && this.#at > from;
    if (unread === null && !isBehind && isOver && !this.#isOver) {
      this.#isOver = true;
      const { unrecordedEnd } = this.#run;
      if (unrecordedEnd && unrecordedEnd.seq > this.#after) events.push(unrecordedEnd);
    }
    this.#after = events.at(-1)?.seq ?? this.#after;
    const fault = unread ?? this.#damage;
    return { events, isBehind, isEnd: this.#isOver, fault, isUnread: unread !== null };
  }

  #take(event: RunEvent | undefined, events: RunEvent[]): void {
    if (!event) {
      this.#damage ??= damagedLine(this.#line, this.#run.path);
      return;
    }
    if (event.seq > this.#after) events.push(event);
    if (event.type === 'run.end') this.#isOver = true;
  }
}
