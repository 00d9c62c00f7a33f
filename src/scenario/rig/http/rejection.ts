import type { Answer } from './bridge-client.ts';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const FAILED_STATUS: ReadonlySet<unknown> = new Set(['error', 'failed', 'failure']);

/**
 * Why an answer is not a confirmation, or undefined: a status outside 2xx; `ok`, `ok.success` or `success` false;
 * `status` error, failed, failure. An answer without a JSON object is not a confirmation either, and neither does
 * one that says that the state was not verified.
 */
export function rejectionOf({ status, json, text }: Answer): string | undefined {
  const body = isRecord(json) ? json : undefined;
  if (status >= 300 && status < 400) return `HTTP ${status}: redirects are not followed`;
  if (status < 200 || status >= 400)
    return (body && textOf(body)) ?? `HTTP ${status}${text ? `: ${text.slice(0, 200)}` : ''}`;
  if (!body) return `HTTP ${status} without a JSON object is not a confirmation`;
  const { ok } = body;
  if (ok === false || body.success === false || (isRecord(ok) && ok.success === false))
    return textOf(body) ?? 'the answer has ok: false';
  if (typeof body.status === 'string' && FAILED_STATUS.has(body.status.toLowerCase()))
    return textOf(body) ?? `the answer has status: ${body.status}`;
  // A simulation has nothing to verify, and says so.
  if (body.verified === false && !saysSimulated(body)) return textOf(body) ?? 'verified: false';
  return undefined;
}

/** `error`, `message` or `detail`, whichever is there first. */
function textOf(body: Record<string, unknown>): string | undefined {
  for (const key of ['error', 'message', 'detail'])
    for (const source of [body, isRecord(body.ok) ? body.ok : {}, isRecord(body.data) ? body.data : {}]) {
      const value = source[key];
      if (typeof value === 'string' && value !== '') return value;
    }
  return undefined;
}

/** True when the answer says that no hardware was behind it. */
export const saysSimulated = (body: Record<string, unknown>): boolean =>
  isSaid(body.simulated) || isSaid(body.mock) || isSaid(body.mock_mode);

export const saysBench = (body: Record<string, unknown>): boolean => isSaid(body.bench);

/** A mark of a wrong type, for example `"true"`, is taken for the mark: real is only what says nothing else. */
const isSaid = (mark: unknown): boolean => mark !== undefined && mark !== null && mark !== false;

/** Codes of the bridge that mean: the lease is not ours. */
const LEASE_CODES: ReadonlySet<unknown> = new Set([
  'lease_lost',
  'lease_held',
  'lease_required',
  'lease_gone',
  'operator_stop',
]);

/** Codes of the bridge for what a safe state has cut. */
const SAFE_STATE_CODES: ReadonlySet<unknown> = new Set(['safe_state_in_progress', 'superseded']);

export const saysSafeState = ({ status, json }: Answer): boolean =>
  status === 409 && isRecord(json) && SAFE_STATE_CODES.has(json.code);

export const saysLeaseLost = ({ status, json }: Answer): boolean =>
  (status === 409 || status === 410) && isRecord(json) && LEASE_CODES.has(json.code);
