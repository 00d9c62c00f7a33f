import type { RunEvent } from '../../../scenario/events/event.ts';

export interface RecentEvent {
  readonly event: RunEvent;
  /** Offset in the record behind its line. */
  readonly end: number;
}

/** So many seconds of 16 sensors at 100 Hz are kept as a page may be behind. */
const MOST = 4000;

/**
 * The events that were written last: ten pages that follow a run read and parse none of them from the record again. What is
 * older is in the record only.
 */
export class RecentEvents {
  #kept: RecentEvent[] = [];
  /** Offset of the first one that is kept. */
  #from = 0;
  readonly #most: number;

  constructor(most = MOST) {
    this.#most = most;
  }

  /** @param end length of the record with it */
  add(event: RunEvent, end: number): void {
    // A disk that takes no more leaves the record as long as it was: what is not in it is told as such, and not from here.
    if (end <= (this.#kept.at(-1)?.end ?? this.#from)) return;
    this.#kept.push({ event, end });
    // Half at a time: each one is moved once.
    if (this.#kept.length <= 2 * this.#most) return;
    this.#from = this.#kept[this.#most - 1]?.end ?? 0;
    this.#kept = this.#kept.slice(this.#most);
  }

  /** @returns the events behind an offset of the record; undefined: some of them are in the record only */
  behind(offset: number): readonly RecentEvent[] | undefined {
    if (offset < this.#from) return undefined;
    let first = this.#kept.length;
    while (first > 0 && (this.#kept[first - 1]?.end ?? 0) > offset) first--;
    return this.#kept.slice(first);
  }
}
