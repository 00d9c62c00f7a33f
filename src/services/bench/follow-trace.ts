import type { Bench } from '../../bench/bench.ts';
import type { TraceEntry } from '../../bench/trace/trace-entry.ts';
import type { TraceQuery } from '../../bench/trace/trace-log.ts';

/**
 * The entries after `since` and then each new one, until `gone` aborts. A reader that is slower than the bench's memory
 * is long is told how many entries it has missed.
 */
export async function* followTrace(
  bench: Bench,
  { device, since = 0 }: TraceQuery,
  gone: AbortSignal,
): AsyncGenerator<TraceEntry | { lost: number }> {
  let known = since;
  while (!gone.aborted) {
    const { trace, next, lost } = bench.tracePage({ device, since: known });
    if (lost > 0) yield { lost };
    yield* trace;
    known = next;
    await bench.traceArrival({ device, since: known }, gone);
  }
}
