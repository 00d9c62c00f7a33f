import * as z from 'zod';
import { HttpError } from '../../../lib/http/http-error.ts';
import { PROBLEM_CODES, type ProblemCode } from '../../../lib/http/problem-table.ts';
import { booleanText, numberText } from '../../../lib/http/query-types.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { Firmware } from '../firmware.ts';
import { api } from './paths.ts';

/** A page renews its lease each second; one that is left, frozen or cut off ends in the safe state after this, ms. */
const LEASE_MS = 3000;
const COMMAND_MS = 6000;
const SAFE_STATE_MS = 7500;

const params = z.object({ lease: z.string().max(200) });
const answer = z.object({ ok: z.literal(true) });

/** What the bridge may refuse. */
const PROBLEMS = [
  'operator_stop',
  'lease_held',
  'lease_lost',
  'lease_gone',
  'lease_required',
  'held_by_bridge',
  'interlock',
  'safe_state_in_progress',
  'superseded',
  'not_safe',
  'undervoltage',
  'unknown_valve',
  'value_out_of_range',
  'invalid_parameter',
  'valve_unverified',
  'pump_unverified',
  'valve_mode_not_normal',
  'device_unavailable',
  'device_error',
  'device_timeout',
  'safe_state_incomplete',
  'corrupt_response',
  'modbus_exception',
] as const satisfies readonly ProblemCode[];

/** One actuator at a time by hand, under a lease of the page. */
export function manualRoutes(firmware: Firmware): Route[] {
  const ask = async (
    method: 'POST' | 'DELETE',
    path: string,
    more: { timeoutMs?: number; leaseId?: string; body?: object } = {},
  ): Promise<Record<string, unknown>> => {
    const told = await firmware.command(method, path, { timeoutMs: COMMAND_MS, ...more });
    if ('silence' in told)
      throw new HttpError('device_unavailable', told.silence, { members: { device: 'svc-bridge' } });
    if (told.status < 400) return told.said;
    const { code, detail } = told.said;
    const known = PROBLEM_CODES.find((one) => one === code);
    throw new HttpError(known ?? 'device_error', String(detail ?? `status ${told.status} of the bridge`));
  };
  const lease = (id: string) => `/api/v1/lease/${encodeURIComponent(id)}`;
  return [
    route({
      method: 'POST',
      path: api('/manual'),
      summary: 'Takes the lease for manual control: 3 s, to be renewed',
      actuating: true,
      body: z.strictObject({ by: z.string().trim().min(1).max(100) }),
      answer: z.object({ lease_id: z.string(), ttl_ms: z.int() }),
      answerStatus: [201],
      problems: PROBLEMS,
      handler: async ({ body: { by } }) => {
        const body = { owner: `manual control by ${by}`, ttl_ms: LEASE_MS };
        const { lease_id: id, ttl_ms: ttlMs } = await ask('POST', '/api/v1/lease', { body });
        return { lease_id: String(id), ttl_ms: Number(ttlMs) };
      },
    }),
    route({
      method: 'POST',
      path: api('/manual/:lease/renew'),
      summary: 'Renews the lease of manual control',
      actuating: true,
      params,
      answer,
      problems: PROBLEMS,
      handler: async ({ params: { lease: id } }) => {
        await ask('POST', `${lease(id)}/renew`);
        return { ok: true };
      },
    }),
    route({
      method: 'POST',
      path: api('/manual/:lease/end'),
      summary: 'Gives the lease of manual control back; the rig is made safe',
      params,
      ignoresForm: true,
      answer,
      problems: PROBLEMS,
      handler: async ({ params: { lease: id } }) => {
        await ask('DELETE', lease(id), { timeoutMs: SAFE_STATE_MS });
        return { ok: true };
      },
    }),
    route({
      method: 'POST',
      path: api('/manual/:lease/valve/:id'),
      summary: 'Opens or closes a valve under the lease',
      actuating: true,
      params: params.extend({ id: z.string().max(200) }),
      query: z.object({ open: booleanText() }),
      answer,
      problems: PROBLEMS,
      handler: async ({ params: { lease: leaseId, id }, query }) => {
        await ask('POST', `/api/v1/hardware/valve/${encodeURIComponent(id)}?value=${query.open}`, {
          leaseId,
        });
        return { ok: true };
      },
    }),
    route({
      method: 'POST',
      path: api('/manual/:lease/pump'),
      summary: 'Sets the power of the pump under the lease, 0..100 %',
      actuating: true,
      params,
      query: z.object({ power_pct: numberText({ min: 0, max: 100 }) }),
      answer,
      problems: PROBLEMS,
      handler: async ({ params: { lease: leaseId }, query }) => {
        await ask('POST', `/api/v1/hardware/pump?power_pct=${query.power_pct}`, { leaseId });
        return { ok: true };
      },
    }),
  ];
}
