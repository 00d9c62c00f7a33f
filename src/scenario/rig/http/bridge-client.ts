import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { type Exchange, exchangeText, type TextRequest } from '../../../transports/http/exchange-text.ts';
import { RunFault } from '../fault.ts';
import type { RigObserver } from '../observer.ts';

/** Largest answer that is read, bytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** The caller repeats a read itself: one whose kept connection broke fails at once. */
  readonly once?: boolean;
  /** No event: the caller tells in its own way. */
  readonly quiet?: boolean;
  /** Called with each line of a good answer, which has no text then, as soon as it is there; not over a given `fetch`. */
  readonly onLine?: (line: string) => void;
}

export interface Answer {
  readonly status: number;
  /** Parsed JSON; undefined when the body is none. */
  readonly json: unknown;
  readonly text: string;
  readonly location: string | null;
  /** Monotonic ms at which the request was sent, and how long the answer took. */
  readonly sentAt: number;
  readonly tookMs: number;
}

/** One HTTP exchange at a time-out: what acts is sent once, no redirect is followed, and it is reported as an event. */
export class BridgeClient {
  readonly #clock: Clock;
  readonly #fetch: Fetch | undefined;
  readonly #token: string | undefined;
  readonly #observer: Pick<RigObserver, 'event'>;

  /** @param fetch used in place of a connection of its own */
  constructor(
    clock: Clock,
    fetch: Fetch | undefined,
    token: string | undefined,
    observer: Pick<RigObserver, 'event'>,
  ) {
    this.#clock = clock;
    this.#fetch = fetch;
    this.#token = token;
    this.#observer = observer;
  }

  /** @throws RunFault SCN406 (no connection, lost) or SCN407 (time-out); the signal's reason when it aborts */
  async send(call: Call): Promise<Answer> {
    const sentAt = this.#clock.monotonic();
    const report = (status: number | null, error: string | null) => {
      if (call.quiet) return;
      const ms = round(this.#clock.monotonic() - sentAt);
      this.#observer.event({ type: 'http', method: call.method, url: call.url, status, ms, error });
    };
    call.signal?.throwIfAborted();
    const exchange = this.#begin(call);
    let fault: RunFault | undefined;
    const cancelTimer = this.#clock.after(call.timeoutMs, () => {
      fault = late(call);
      exchange.cancel(fault);
    });
    const onAbort = () => exchange.cancel(call.signal?.reason);
    call.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const { status, location, text } = await exchange.answer;
      report(status, null);
      return {
        status,
        json: text === '' ? undefined : parseJson(text),
        text,
        location,
        sentAt,
        tookMs: this.#clock.monotonic() - sentAt,
      };
    } catch (thrown) {
      if (call.signal?.aborted) {
        report(null, 'aborted');
        throw call.signal.reason;
      }
      fault ??= transportFault(call, thrown);
      report(null, fault.message);
      throw fault;
    } finally {
      cancelTimer();
      call.signal?.removeEventListener('abort', onAbort);
    }
  }

  #begin(call: Call): Exchange {
    const request = {
      method: call.method,
      url: call.url,
      headers: this.#headers(call),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      isAskedAgain: call.once !== true,
      maxBytes: MAX_ANSWER_BYTES,
      onLine: call.onLine,
    };
    return this.#fetch ? exchangeBy(this.#fetch, request) : exchangeText(request);
  }

  /**
   * Keeps a connection open and reads what comes, until it breaks or the signal aborts. Never rejects.
   * @returns false when the other side did not open it
   */
  async listen(url: string, signal: AbortSignal): Promise<boolean> {
    try {
      const headers = this.#headers({ method: 'GET', url, timeoutMs: 0 });
      const response = await (this.#fetch ?? fetch)(url, { headers, redirect: 'manual', signal });
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        return false;
      }
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) void part;
    } catch {
      // Broken, or ended by us: the same to the one that listens.
    }
    return true;
  }

  #headers({ method, headers, body }: Call): Record<string, string> {
    return {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      // A kept connection may be closed by the other side while a request is on its way, and then it is unknown whether
      // an actuator moved. Reads can be repeated, these cannot.
      ...(method === 'GET' ? {} : { connection: 'close' }),
      ...headers,
    };
  }
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

const late = ({ method, url, timeoutMs }: Call): RunFault =>
  new RunFault('SCN407', `${method} ${url} did not respond within ${timeoutMs} ms`);

function transportFault({ method, url }: Call, thrown: unknown): RunFault {
  if (thrown instanceof RunFault) return thrown;
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  return new RunFault('SCN406', `${method} ${url} failed: ${describe(cause)}`, { cause: thrown });
}

function describe(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNREFUSED') return 'connection refused: no program is listening';
  return messageOf(cause) || code || 'no connection';
}

/** An exchange by a given `fetch`. */
function exchangeBy(fetch: Fetch, { url, method, headers, body, maxBytes }: TextRequest): Exchange {
  const stop = new AbortController();
  const exchanged = async () => {
    const sent = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await fetch(url, { ...sent, redirect: 'manual', signal: stop.signal });
    const location = response.headers.get('location');
    return { status: response.status, location, text: await readText(response, maxBytes) };
  };
  const answer = exchanged().catch((thrown: unknown) => {
    throw stop.signal.aborted ? stop.signal.reason : thrown;
  });
  return { answer, cancel: (reason) => stop.abort(reason) };
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
