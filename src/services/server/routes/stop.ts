import * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import { HttpError } from '../../../lib/http/http-error.ts';
import { NDJSON_TYPE, ndjsonStream } from '../../../lib/http/reply.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { operatorStopPath, stopIdOf } from '../../../rig/safe-state/operator-stop.ts';
import type { Firmware, Told } from '../firmware.ts';
import { api } from './paths.ts';

const LONGEST_NAME = 100;
/** The safe state is bounded by 5 s, its answer by 7 s. */
const STOP_MS = 7500;
const CLEAR_MS = 6000;

const operatorStop = z.object({ id: z.string(), at: z.string(), by: z.string(), reason: z.string() });

/** The operator's stop, for the page: one of its two ways (the other is `POST /stop` of the guard), and its release. */
export function stopRoutes(firmware: Firmware, clock: Clock): Route[] {
  return [
    route({
      method: 'POST',
      path: api('/stop'),
      summary:
        'Makes the rig safe through the bridge: lines begun (at once), step (each) and report; ?by= names the caller, ?id= the stop',
      access: 'loopback',
      ignoresForm: true,
      answerType: NDJSON_TYPE,
      handler: ({ request }) => {
        const { searchParams } = new URL(request.url ?? '', 'http://server');
        const name = searchParams.get('by')?.trim().slice(0, LONGEST_NAME);
        const by = (name || (request.socket.remoteAddress ?? 'unknown')).replace(/\s+/g, ' ');
        const path = operatorStopPath({ by, id: stopIdOf(searchParams.get('id')) });
        const told = firmware.post(path, STOP_MS);
        return ndjsonStream(lines(told, by, new Date(clock.now()).toISOString()));
      },
    }),
    route({
      method: 'POST',
      path: api('/operator-stop/clear'),
      summary: "Clears the operator's stop; with id= no other stop than that one",
      actuating: true,
      query: z.object({ by: z.string().trim().min(1).max(200), id: z.string().max(200).optional() }),
      answer: z.object({ ok: z.literal(true), cleared: operatorStop.nullable() }),
      problems: ['operator_stop', 'safe_state_in_progress', 'device_unavailable'],
      handler: async ({ query }) => {
        const asked = new URLSearchParams({ by: query.by, ...(query.id ? { id: query.id } : {}) });
        const told = await firmware.post(`/api/v1/hardware/operator-stop/clear?${asked}`, CLEAR_MS);
        if ('silence' in told)
          throw new HttpError('device_unavailable', `the stop is not cleared: ${told.silence}`, {
            members: { device: 'svc-bridge' },
          });
        const { ok, cleared, detail } = told.said;
        if (ok !== true) throw new HttpError('operator_stop', `the stop is not cleared: ${String(detail)}`);
        return { ok, cleared: operatorStop.nullable().catch(null).parse(cleared) };
      },
    }),
  ];
}

async function* lines(answer: Promise<Told>, by: string, at: string): AsyncGenerator<object> {
  yield { event: 'begun', at, by };
  const told = await answer;
  if ('silence' in told) {
    yield { event: 'report', ok: false, outcome: 'failed', steps: [], error: told.silence };
    return;
  }
  const { steps, ok, outcome, detail } = told.said;
  const list = Array.isArray(steps) ? steps : [];
  for (const step of list) yield { event: 'step', ...step };
  yield {
    event: 'report',
    ok: ok === true,
    outcome: typeof outcome === 'string' ? outcome : 'failed',
    steps: list,
    ...(ok === true ? {} : { error: String(detail) }),
  };
}
