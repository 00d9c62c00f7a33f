import * as z from 'zod';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { HttpError } from '../../../lib/http/http-error.ts';
import { PROBLEM_CODES } from '../../../lib/http/problem-table.ts';
import { numberText } from '../../../lib/http/query-types.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { Fetch } from '../../../scenario/rig/http/bridge-client.ts';
import type { Firmware } from '../firmware.ts';
import { api } from './paths.ts';

const ANSWER_MS = 8000;
/** Longest time a request waits for the next entry of the trace. */
const WAIT_MS = 5000;
const MODE_MS = 1000;

const twin = z.object({
  device: z.string(),
  address: z.string().nullable(),
  path: z.string().nullable(),
  knobs: z.record(z.string(), z.unknown()),
  faults: z.array(z.string()),
});
export type Twin = z.output<typeof twin>;
const twinsSchema = z.object({ devices: z.array(twin) });

const outputsSchema = z.object({
  coils: z.array(z.boolean()),
  pump: z.looseObject({ fraction: z.number() }),
  lung: z.looseObject({ position: z.number(), velocity: z.number(), energized: z.boolean() }),
  plant: z.object({
    pump_flow_lpm: z.number(),
    pressure_v: z.array(z.number()),
    lung_volume_l: z.number(),
    supply_v: z.number(),
    valves_open: z.array(z.boolean()),
  }),
});
export type BenchOutputs = z.output<typeof outputsSchema>;

const traceSchema = z.object({
  trace: z.array(z.looseObject({ n: z.int(), at: z.string(), device: z.string(), kind: z.string() })),
  next: z.int(),
  lost: z.int(),
});
export type BenchTrace = z.output<typeof traceSchema>;

const params = z.object({ device: z.string().max(100) });
const done = z.looseObject({ ok: z.literal(true) });
const PROBLEMS = ['knob_invalid', 'not_found', 'device_unavailable', 'not_done'] as const;

interface BenchParts {
  /** Control port of svc-bench; undefined on a rig, which has none. */
  url: string | undefined;
  firmware: Firmware;
  fetch: Fetch;
}

/** The twins of the bench, for the page. A rig without a bench has none of these routes. */
export function benchRoutes({ url, firmware, fetch }: BenchParts): Route[] {
  if (url === undefined) return [];
  const ask = async (
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    { body, signal }: { body?: unknown; signal: AbortSignal },
  ): Promise<unknown> => {
    let response: Response;
    let said: unknown;
    try {
      response = await fetch(`${url}/bench/v1${path}`, {
        method,
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      said = await response.json();
    } catch (cause) {
      throw unavailable(`${url} does not answer: ${messageOf(cause)}; start svc-bench or npm start`);
    }
    if (response.ok) return said;
    const { code, detail } = said as { code?: unknown; detail?: unknown };
    const known = PROBLEM_CODES.find((one) => one === code);
    throw new HttpError(known ?? 'not_done', String(detail ?? `status ${response.status} of svc-bench`));
  };
  /** @throws HttpError when the bridge drives real devices: what is set here would then be taken for theirs */
  const requireTwins = async (signal: AbortSignal) => {
    const told = await firmware.get('/health', MODE_MS, signal);
    if ('said' in told && told.said.bench === false)
      throw new HttpError('not_done', 'the bridge drives no twins: its svc.yaml names other devices');
  };
  const read = <T>(said: unknown, schema: z.ZodType<T>): T => {
    const result = schema.safeParse(said);
    if (result.success) return result.data;
    throw unavailable('the answer of svc-bench cannot be read: update svc-bench and svc-server together');
  };
  return [
    route({
      method: 'GET',
      path: api('/bench/devices'),
      summary: 'The twins with their knobs and the faults they take',
      answer: twinsSchema,
      problems: PROBLEMS,
      handler: async ({ signal }) => read(await ask('GET', '/devices', { signal }), twinsSchema),
    }),
    route({
      method: 'GET',
      path: api('/bench/outputs'),
      summary: 'Valves, pump, lung and plant as they are in truth',
      answer: outputsSchema,
      problems: PROBLEMS,
      handler: async ({ signal }) => read(await ask('GET', '/outputs', { signal }), outputsSchema),
    }),
    route({
      method: 'GET',
      path: api('/bench/trace'),
      summary: 'What the twins received, sent and did, after an entry',
      query: z.object({
        since: numberText({ min: 0, integer: true }).default(0),
        limit: numberText({ min: 1, max: 5000, integer: true }).default(500),
        wait_ms: numberText({ min: 0, max: WAIT_MS, integer: true }).default(0),
        /** Instead of what follows `since`: the newest entries. */
        last: numberText({ min: 1, max: 1000, integer: true }).optional(),
      }),
      answer: traceSchema,
      problems: PROBLEMS,
      handler: async ({ query: { since, limit, wait_ms, last }, signal }) => {
        const asked = last === undefined ? `?since=${since}&limit=${limit}&wait_ms=${wait_ms}` : '';
        const page = read(await ask('GET', `/trace${asked}`, { signal }), traceSchema);
        return last === undefined ? page : { ...page, trace: page.trace.slice(-last), lost: 0 };
      },
    }),
    route({
      method: 'PATCH',
      path: api('/bench/:device/knobs'),
      summary: 'Sets knobs of a twin; answers when they have taken effect',
      params,
      body: z.record(z.string(), z.unknown()),
      answer: done,
      problems: PROBLEMS,
      handler: async ({ params: { device }, body, signal }) => {
        await requireTwins(signal);
        return read(await ask('PATCH', `/${encodeURIComponent(device)}/knobs`, { body, signal }), done);
      },
    }),
    route({
      method: 'POST',
      path: api('/bench/:device/faults'),
      summary: 'Spoils the next answers of a twin, one fault for each',
      params,
      body: z.strictObject({ faults: z.array(z.unknown()).min(1).max(1000) }),
      answer: done,
      problems: PROBLEMS,
      handler: async ({ params: { device }, body, signal }) => {
        await requireTwins(signal);
        return read(await ask('POST', `/${encodeURIComponent(device)}/faults`, { body, signal }), done);
      },
    }),
    route({
      method: 'POST',
      path: api('/bench/reset'),
      summary: 'Outputs of the twins off, knobs, faults and plant at rest',
      answer: done,
      problems: PROBLEMS,
      handler: async ({ signal }) => {
        await requireTwins(signal);
        return read(await ask('POST', '/reset', { signal }), done);
      },
    }),
  ];
}

const unavailable = (message: string) =>
  new HttpError('device_unavailable', message, { members: { device: 'svc-bench' } });
