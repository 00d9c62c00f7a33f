import * as z from 'zod';
import { BENCH_DEVICES, type Bench, type BenchDeviceName } from '../../../bench/bench.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import { booleanText, numberText } from '../../../lib/http/query-types.ts';
import { NDJSON_TYPE, ndjsonStream, text } from '../../../lib/http/reply.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { followTrace } from '../follow-trace.ts';

/** Longest time a request waits for the next entry. */
const MAX_WAIT_MS = 30_000;

const query = z.object({
  since: numberText({ min: 0, integer: true }).optional(),
  limit: numberText({ min: 1, max: 5000, integer: true }).optional(),
  /** How long to wait when there is nothing after `since` yet. */
  wait_ms: numberText({ min: 0, max: MAX_WAIT_MS, integer: true }).default(0),
});

const ndjsonQuery = query.extend({
  /** Goes on until the reader leaves or the bench ends; `limit` and `wait_ms` have no meaning then. */
  follow: booleanText().default(false),
});

const answer = z.object({
  ok: z.literal(true),
  trace: z.array(
    z.object({
      n: z.int(),
      at_ms: z.number(),
      at: z.iso.datetime(),
      device: z.string(),
      kind: z.string(),
      ...z
        .object({
          bytes: z.string(),
          coil: z.int(),
          on: z.boolean(),
          fraction: z.number(),
          duty: z.number(),
          enabled: z.boolean(),
          position: z.number(),
          velocity: z.number(),
          energized: z.boolean(),
          away_ms: z.number(),
          note: z.string(),
          knobs: z.record(z.string(), z.unknown()),
        })
        .partial().shape,
    }),
  ),
  /** Number to give as `since` for the page after this one. */
  next: z.int(),
  /** Entries after `since` that memory no longer has; the file has them. */
  lost: z.int(),
});

const params = z.object({ device: z.enum(BENCH_DEVICES) });

/**
 * What happened at the twins. `since` is the number of the last entry that is known already, `next` the one to give
 * next; with `wait_ms` the answer comes with the first new entry, so that a reader follows without asking in vain.
 *
 * @param clock of the machine: a reader waits in real time, whatever the twins' time does
 */
export function traceRoutes(bench: Bench, clock: Clock): Route[] {
  const page = async (
    device: BenchDeviceName | undefined,
    { wait_ms, ...rest }: z.output<typeof query>,
    gone: AbortSignal,
  ) => {
    const asked = { device, ...rest };
    if (wait_ms > 0) {
      const limit = new AbortController();
      const cancel = clock.after(wait_ms, () => limit.abort());
      await bench.traceArrival(asked, AbortSignal.any([limit.signal, gone]));
      cancel();
    }
    return bench.tracePage(asked);
  };
  /** One page as a whole, or everything from there on as it happens. */
  const ndjson = async (
    device: BenchDeviceName | undefined,
    { follow, ...asked }: z.output<typeof ndjsonQuery>,
    gone: AbortSignal,
  ) => {
    if (follow) return ndjsonStream(followTrace(bench, { device, since: asked.since }, gone));
    const { trace } = await page(device, asked, gone);
    return text(trace.map((entry) => `${JSON.stringify(entry)}\n`).join(''), NDJSON_TYPE);
  };
  const deadlineMs = MAX_WAIT_MS + 5000;
  return [
    route({
      method: 'GET',
      path: '/bench/v1/trace',
      summary: 'Trace of all devices',
      query,
      answer,
      deadlineMs,
      handler: async (asked) => ({ ok: true, ...(await page(undefined, asked.query, asked.signal)) }),
    }),
    route({
      method: 'GET',
      path: '/bench/v1/:device/trace',
      summary: 'Trace of one device',
      params,
      query,
      answer,
      deadlineMs,
      handler: async (asked) => ({
        ok: true,
        ...(await page(asked.params.device, asked.query, asked.signal)),
      }),
    }),
    route({
      method: 'GET',
      path: '/bench/v1/trace.ndjson',
      summary: 'Trace of all devices, one line of JSON for each entry; follow=true goes on with what comes',
      query: ndjsonQuery,
      answerType: NDJSON_TYPE,
      deadlineMs,
      handler: ({ query, signal }) => ndjson(undefined, query, signal),
    }),
    route({
      method: 'GET',
      path: '/bench/v1/:device/trace.ndjson',
      summary: 'Trace of one device, one line of JSON for each entry; follow=true goes on with what comes',
      params,
      query: ndjsonQuery,
      answerType: NDJSON_TYPE,
      deadlineMs,
      handler: ({ params: { device }, query, signal }) => ndjson(device, query, signal),
    }),
  ];
}
