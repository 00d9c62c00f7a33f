import { apiPathFault } from '../../forms/api-path.ts';
import { RunFault } from '../fault.ts';
import type { ApiAnswer, ApiRequest } from '../rig.ts';
import type { Answer, BridgeClient } from './bridge-client.ts';

const CALL_TIMEOUT_MS = 5000;
const MAX_REDIRECTS = 5;

export interface ApiBases {
  readonly firmware: string;
  readonly server: string | undefined;
}

/** A real request of an API_ command. @throws RunFault SCN260, 406, 407 */
export async function apiCall(
  client: BridgeClient,
  bases: ApiBases,
  { method, path, body }: ApiRequest,
  leaseId: string | undefined,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  let url = apiUrl(bases, path);
  const headers: Record<string, string> =
    method === 'GET' || leaseId === undefined ? {} : { 'x-lease-id': leaseId };
  const common = { timeoutMs: CALL_TIMEOUT_MS, signal, headers };
  for (let hops = 0; ; hops++) {
    const answer = await client.send({ method, url, ...common, ...(body === undefined ? {} : { body }) });
    const next = redirectOf(answer, url);
    // Only a read is sent again elsewhere; the answer to anything else is the redirect itself.
    if (next === undefined || method !== 'GET' || hops >= MAX_REDIRECTS)
      return { status: answer.status, body: answer.json === undefined ? answer.text : answer.json };
    url = next;
  }
}

/** `/health` and `/api/v1/...` belong to the bridge, other `/api/...` to the API server. */
function apiUrl({ firmware, server }: ApiBases, path: string): string {
  const fault = apiPathFault(path);
  if (fault !== undefined) throw new RunFault('SCN260', `${path}: ${fault}`);
  const toBridge = /^\/(?:health(?:[/?#]|$)|api\/v1\/)/.test(path);
  const base = toBridge ? firmware : server;
  if (base === undefined)
    throw new RunFault('SCN260', `${path} belongs to the API server, but no --server-url was given`);
  const url = new URL(base + path);
  if (url.origin !== new URL(base).origin)
    throw new RunFault('SCN260', `${path} leads to another host (${url.origin})`);
  return url.href;
}

function redirectOf({ status, location }: Answer, from: string): string | undefined {
  if (status < 300 || status >= 400 || location === null) return undefined;
  const origin = new URL(from).origin;
  let target: URL;
  try {
    target = new URL(location, from);
  } catch {
    throw new RunFault('SCN260', `${from} redirects to "${location}", which is not an address`);
  }
  if (target.origin !== origin)
    throw new RunFault('SCN260', `${from} redirects to another host (${target.origin}); not followed`);
  return target.href;
}
