import type { Server } from 'node:http';
import type { Clock } from '../../lib/clock/clock.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { type Exchanged, exchange } from './in-process.ts';
import type { PermissionOracle, Traffic } from './permission-oracle.ts';
import type { StoppableClock } from './stoppable-clock.ts';

/** Someone who speaks to the bridge. When he is dead nothing of his is sent any more, and nothing comes back to him. */
export interface Actor {
  clock: StoppableClock;
  /** Aborts with his death: the kernel closes what a dead process had open. */
  gone: AbortController;
}

export interface Exchange {
  status: number;
  body: Record<string, unknown>;
}

const never = <T>() => new Promise<T>(() => {});

/** The bridge's door: whoever goes through it is written down. */
export class HttpTap {
  readonly #clock: Clock;
  readonly #authority: PermissionOracle;
  readonly #told: (line: string) => void;
  #server: Server | undefined;

  constructor(options: { clock: Clock; authority: PermissionOracle; told: (line: string) => void }) {
    this.#told = options.told;
    this.#clock = options.clock;
    this.#authority = options.authority;
  }

  /** @param server undefined while no bridge listens */
  lead(server: Server | undefined): void {
    this.#server = server;
  }

  /** `fetch` of one person, for the scenario's own client. */
  fetchOf(speaker: Actor): (url: string, init?: RequestInit) => Promise<Response> {
    return async (url, init = {}) => {
      const { pathname, search } = new URL(url);
      const headers = Object.fromEntries(new Headers(init.headers ?? {}));
      const answer = await this.#through(speaker, {
        method: init.method ?? 'GET',
        path: pathname + search,
        headers,
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
        signal: init.signal ?? undefined,
      });
      const type = answer.headers['content-type'];
      return new Response(answer.text === '' ? null : answer.text, {
        status: answer.status,
        headers: type === undefined ? {} : { 'content-type': type },
      });
    };
  }

  /** One request of one person: `POST /api/v1/lease`. Without a bridge it is refused, status 0. */
  async call(speaker: Actor, line: string, more: { lease?: string; body?: unknown } = {}): Promise<Exchange> {
    const [method = 'GET', path = '/'] = line.split(' ');
    const { lease, body } = more;
    try {
      const answer = await this.#through(speaker, {
        method,
        path,
        headers: {
          ...(lease === undefined ? {} : { 'x-lease-id': lease }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: undefined,
      });
      return { status: answer.status, body: JSON.parse(answer.text) as Record<string, unknown> };
    } catch {
      return { status: 0, body: {} };
    }
  }

  async #through(
    speaker: Actor,
    asked: {
      method: string;
      path: string;
      headers: Record<string, string>;
      body?: string;
      signal: AbortSignal | undefined;
    },
  ): Promise<Exchanged> {
    if (speaker.clock.isDead) return never();
    const server = this.#server;
    if (!server) throw new TransportError('port_absent', 'bridge', 'connection refused');
    const { method, path, headers, signal } = asked;
    const traffic: Traffic = { method, path, lease: headers['x-lease-id'], sentAt: this.#clock.monotonic() };
    this.#authority.sent(traffic);
    const who = traffic.lease === undefined ? '' : ` (lease ${traffic.lease.slice(0, 6)})`;
    this.#told(`-> ${method} ${path}${who}`);
    const signals = [speaker.gone.signal, ...(signal ? [signal] : [])];
    try {
      const answer = await exchange(server, { ...asked, signal: AbortSignal.any(signals) });
      traffic.answeredAt = this.#clock.monotonic();
      traffic.status = answer.status;
      traffic.body = bodyOf(answer.text);
      this.#told(`<- ${answer.status} ${method} ${path}${who}: ${answer.text.slice(0, 300)}`);
      this.#authority.answered(traffic);
      return speaker.clock.isDead ? await never() : answer;
    } catch (cause) {
      if (speaker.clock.isDead) return never();
      throw cause;
    }
  }
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
