import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { type Answer, BridgeClient, type Fetch } from '../../scenario/rig/http/bridge-client.ts';
import { rejectionOf } from '../../scenario/rig/http/rejection.ts';

type Json = Record<string, unknown>;

/** What the bridge said, or why it said nothing that could be used. */
export type Told = { readonly said: Json } | { readonly silence: string };

/** The bridge, as the API server asks it beside its runs. Nothing is repeated and no redirect followed. */
export class Firmware {
  readonly url: string;
  readonly #client: BridgeClient;

  constructor(url: string, token: string | undefined, clock: Clock, fetch: Fetch | undefined) {
    this.url = url;
    this.#client = new BridgeClient(clock, fetch, token, { event: () => {} });
  }

  async get(path: string, timeoutMs: number, signal?: AbortSignal): Promise<Told> {
    const told = await this.#answer('GET', path, timeoutMs, signal);
    if ('silence' in told) return told;
    const rejection = told.status < 400 ? undefined : rejectionOf(told);
    return rejection === undefined ? saidOf(told) : { silence: `${this.url}${path}: ${rejection}` };
  }

  /** What is answered, whatever its status. */
  async post(path: string, timeoutMs: number): Promise<Told> {
    const told = await this.#answer('POST', path, timeoutMs);
    return 'silence' in told ? told : saidOf(told);
  }

  /** Sent once. @returns status and JSON of the answer, or why there is none */
  async command(
    method: 'POST' | 'DELETE',
    path: string,
    { timeoutMs, leaseId, body }: { timeoutMs: number; leaseId?: string; body?: object },
  ): Promise<{ status: number; said: Json } | { silence: string }> {
    const more = {
      ...(leaseId === undefined ? {} : { headers: { 'x-lease-id': leaseId } }),
      ...(body === undefined ? {} : { body }),
    };
    const told = await this.#answer(method, path, timeoutMs, undefined, more);
    if ('silence' in told) return told;
    const said = saidOf(told);
    return 'silence' in said ? said : { status: told.status, said: said.said };
  }

  async #answer(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    timeoutMs: number,
    signal?: AbortSignal,
    more: { headers?: Record<string, string>; body?: object } = {},
  ): Promise<Answer | { silence: string }> {
    try {
      return await this.#client.send({
        method,
        url: this.url + path,
        timeoutMs,
        ...more,
        ...(signal ? { signal } : {}),
      });
    } catch (thrown) {
      return { silence: messageOf(thrown) };
    }
  }
}

function saidOf({ json, status }: Answer): Told {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { said: json as Json };
  return { silence: `the answer, status ${status}, is not a JSON object` };
}
