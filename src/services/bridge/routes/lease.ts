import * as z from 'zod';
import { booleanText } from '../../../lib/http/query-types.ts';
import { NDJSON_TYPE, ndjsonStream } from '../../../lib/http/reply.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { Lease } from '../../../rig/lease/lease-table.ts';
import { safeStateSchema } from '../../../rig/safe-state/report-schema.ts';
import type { Bridge } from '../bridge.ts';
import { leaseLine } from '../lease-line.ts';
import { incomplete } from './safe-state.ts';

const id = z.object({ id: z.string() });
const holdAnswer = z.object({
  active: z.boolean(),
  remaining_ms: z.number().nullable(),
  hold_s: z.number(),
});
const leaseAnswer = z.object({
  lease_id: z.string(),
  owner: z.string(),
  ttl_ms: z.int(),
  expires_in_ms: z.int(),
});

export function leaseRoutes(bridge: Bridge): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/hold',
      summary: 'How long actuation without a lease still stands before the rig is made safe',
      answer: holdAnswer,
      handler: () => holdView(bridge),
    }),
    route({
      method: 'POST',
      path: '/api/v1/hold',
      summary: 'Renews the manual hold for its whole time; starts none',
      actuating: true,
      answer: holdAnswer,
      problems: ['lease_held', 'safe_state_in_progress'],
      handler: () => {
        bridge.renewHold();
        return holdView(bridge);
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/lease',
      summary: 'Whether the rig is leased, and to whom',
      answer: z.object({
        held: z.boolean(),
        owner: z.string().nullable(),
        expires_in_ms: z.int().nullable(),
      }),
      handler: () => {
        const lease = bridge.leases.current();
        return {
          held: lease !== undefined,
          owner: lease?.owner ?? null,
          expires_in_ms: lease?.expiresInMs ?? null,
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/lease',
      summary:
        'Takes the lease, once every output reads off (else the rig is made safe first); without renewal the rig is made safe at its end',
      actuating: true,
      body: z.strictObject({
        owner: z.string().trim().min(1, 'must name the holder of the lease').max(200),
        ttl_ms: z
          .int('must be whole milliseconds')
          .min(1000, 'must be 1000..60000')
          .max(60_000, 'must be 1000..60000')
          .default(5000),
      }),
      answer: leaseAnswer.extend({ line: z.string() }),
      answerStatus: [201],
      problems: ['lease_held', 'operator_stop', 'safe_state_in_progress', 'not_safe'],
      handler: async ({ body, signal }) => {
        const lease = await bridge.grants.grant(body.owner, body.ttl_ms, signal);
        return { ...view(lease), line: `/api/v1/lease/${lease.id}/line` };
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/lease/:id/renew',
      summary: 'Renews the lease for its whole time',
      actuating: true,
      params: id,
      answer: leaseAnswer,
      problems: ['lease_gone', 'operator_stop'],
      handler: ({ params }) => {
        bridge.refuseAfterOperatorStop();
        return view(bridge.leases.renew(params.id));
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/lease/:id/line',
      summary: 'Kept open by the holder: when it breaks, the lease ends within 2 s unless it is renewed',
      params: id,
      answerType: NDJSON_TYPE,
      problems: ['lease_gone'],
      handler: ({ params, signal }) => {
        // Asked first, for a stream cannot say that there is no such lease.
        bridge.leases.of(params.id);
        return ndjsonStream(leaseLine(bridge.leases, params.id, { clock: bridge.clock, gone: signal }));
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/lease/:id',
      summary: 'Gives the lease back; the rig is made safe unless safe=false',
      actuating: true,
      params: id,
      query: z.object({ safe: booleanText().optional() }),
      answer: z.object({ ok: z.literal(true), safe_state: safeStateSchema.nullable() }),
      problems: ['lease_gone', 'safe_state_incomplete'],
      handler: async ({ params, query }) => {
        bridge.leases.release(params.id);
        if (query.safe === false) {
          bridge.leaseGivenBackAsIs();
          return { ok: true, safe_state: null };
        }
        const report = await bridge.makeSafe('lease_released');
        if (!report.ok) throw incomplete(report, { safe_state: report });
        return { ok: true, safe_state: report };
      },
    }),
  ];
}

function holdView({ holdRemainingMs, config }: Bridge) {
  return { active: holdRemainingMs !== null, remaining_ms: holdRemainingMs, hold_s: config.manualHoldS };
}

function view(lease: Lease) {
  return { lease_id: lease.id, owner: lease.owner, ttl_ms: lease.ttlMs, expires_in_ms: lease.expiresInMs };
}
