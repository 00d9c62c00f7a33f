import type { RunEvent } from '../../../scenario/events/event.ts';
import type { RunBatch } from './live-schema.ts';
import { thinBatch } from './thin-batch.ts';

/** As many as pages may differ in what they have, without one that is far behind taking the place of all. */
const MOST = 8;

/** A page that has had no event `alive` for 1.5 s marks what it shows as old. */
export const ALIVE_MS = 500;
/** From one `alive` to the next: a screen needs no more than 20 batches a second, and 10 are seen as they come. */
const [LEAST, MOST_BATCHES] = [5, 10];
/** To all pages together: each batch costs about as much as a request. */
const SHARED = 50;

/** From one batch to the next of each page: a whole number of them comes between two `alive`. @returns ms */
export const paceOf = (pages: number): number =>
  ALIVE_MS / Math.max(LEAST, Math.min(MOST_BATCHES, Math.floor(SHARED / pages)));

/** Batches as they were written last: pages that wait for the same events get them from one thinning. */
export class SharedBatches {
  readonly #written = new Map<string, string>();
  #pages = 0;

  /** A page follows. @returns what tells its end */
  addPage(): () => void {
    this.#pages++;
    return () => {
      this.#pages--;
    };
  }

  /** From one batch to the next of each page, ms. */
  get paceMs(): number {
    return paceOf(this.#pages);
  }

  /** @param events consecutive ones of the run @returns the data of an event `run` */
  json(runId: string, events: readonly RunEvent[], isEnd: boolean): string {
    const [first, last] = [events[0], events.at(-1)];
    const key = [runId, first?.seq, last?.seq, events.length, isEnd].join(' ');
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const batch = { run_id: runId, first: first?.seq, last: last?.seq, is_end: isEnd, ...thinBatch(events) };
    const json = JSON.stringify(batch satisfies { [Key in keyof RunBatch]: unknown });
    const [oldest] = this.#written.keys();
    if (this.#written.size >= MOST && oldest !== undefined) this.#written.delete(oldest);
    this.#written.set(key, json);
    return json;
  }
}
