import type { RunEvent } from '../../../scenario/events/event.ts';
import type { RunBatch } from './live-schema.ts';
import { thinBatch } from './thin-batch.ts';

/** As many as pages may differ in what they have, without one that is far behind taking the place of all. */
const MOST = 8;

/** From one batch to the next: a screen needs no more than 20 a second, and 10 are seen as they come. */
const [SHORTEST_PACE_MS, LONGEST_PACE_MS] = [50, 100];
/** To all pages together 100 a second: each costs about as much as a request. */
const MS_FOR_EACH_PAGE = 10;

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
    return Math.min(LONGEST_PACE_MS, Math.max(SHORTEST_PACE_MS, MS_FOR_EACH_PAGE * this.#pages));
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
