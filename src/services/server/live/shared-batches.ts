import type { RunEvent } from '../../../scenario/events/event.ts';
import type { RunBatch } from './live-schema.ts';
import { thinBatch } from './thin-batch.ts';

/** As many as pages may differ in what they have, without one that is far behind taking the place of all. */
const MOST = 8;

/** Batches as they were written last: pages that wait for the same events get them from one thinning. */
export class SharedBatches {
  readonly #written = new Map<string, string>();

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
