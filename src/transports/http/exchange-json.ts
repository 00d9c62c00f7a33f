import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { TransportError } from '../transport-error.ts';
import { type HttpReason, httpFault } from './http-fault.ts';

export interface ExchangeJsonOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  /** Only this status is an answer. Default: all but redirects. */
  status?: number;
  /** Milliseconds for the whole exchange, from the name look-up to the last byte. */
  timeoutMs: number;
  /** Largest body that is read. */
  maxBytes: number;
  /** Sent as a bearer token. */
  token?: string;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  clock: Clock;
  /** Ends the exchange; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface JsonAnswer {
  status: number;
  value: unknown;
}

type Fail = (reason: HttpReason, what: string, details?: { status?: number; cause?: unknown }) => void;

/**
 * One request to an HTTP server, with a JSON body both ways. Any status but a redirect is an answer, when its body is
 * whole JSON in UTF-8. Sent once, never repeated; the connection is used once and closed when the promise settles.
 *
 * @throws TransportError `address_invalid` for a text that is not an http or https URL; `http_failed` with `reason`
 *   `unreachable`, `timeout`, `status`, `too_large`, `redirect` or `not_json`, and `status` when one came. After `timeout`, and
 *   `unreachable` of a broken connection, what was asked for may have been done.
 */
export async function exchangeJson(address: string, options: ExchangeJsonOptions): Promise<JsonAnswer> {
  const { method = 'GET', timeoutMs, maxBytes, clock, signal } = options;
  const url = httpUrl(address);
  // Loaded at its first use: an emergency stop over plain HTTP does not wait for it.
  const send = url.protocol === 'https:' ? (await import('node:https')).request : plainRequest;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const settle = (outcome: { answer: JsonAnswer } | { error: unknown }) => {
      cancelLimit();
      signal?.removeEventListener('abort', onAbort);
      request.destroy();
      if ('answer' in outcome) resolve(outcome.answer);
      else reject(outcome.error);
    };
    const fail: Fail = (reason, what, details) =>
      settle({ error: httpFault(method, url, reason, what, details) });
    let request: ClientRequest;
    try {
      request = begin(send, url, method, options);
    } catch (cause) {
      reject(httpFault(method, url, 'unreachable', `cannot be asked: ${reasonOf(cause)}`, { cause }));
      return;
    }
    const onAbort = () => settle({ error: signal?.reason });
    signal?.addEventListener('abort', onAbort, { once: true });
    const cancelLimit = clock.after(timeoutMs, () =>
      fail('timeout', `gave no whole answer within ${timeoutMs} ms`),
    );

    request.on('error', (cause) => fail('unreachable', `failed: ${reasonOf(cause)}`, { cause }));
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status >= 300 && status < 400)
        fail('redirect', `was answered with ${status} to ${response.headers.location ?? 'nowhere'}`, {
          status,
        });
      else if (options.status !== undefined && status !== options.status)
        fail('status', `was answered with status ${status}`, { status });
      else readBody(response, maxBytes, (value) => settle({ answer: { status, value } }), fail);
    });
    request.end();
  });
}

/** @throws TypeError when the token cannot stand in a header */
function begin(
  send: typeof plainRequest,
  url: URL,
  method: string,
  { body, token, headers }: ExchangeJsonOptions,
): ClientRequest {
  const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const request = send(url, {
    method,
    agent: false,
    headers: {
      accept: 'application/json',
      connection: 'close',
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length }),
    },
  });
  if (text !== undefined) request.write(text);
  return request;
}

function readBody(
  response: IncomingMessage,
  maxBytes: number,
  settle: (value: unknown) => void,
  fail: Fail,
): void {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const tooLarge = (size: string) =>
    fail('too_large', `was answered with ${size}, at most ${maxBytes} bytes are read`, { status });
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > maxBytes) {
    tooLarge(`${announced} bytes`);
    return;
  }
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) tooLarge(`more than ${maxBytes} bytes`);
  });
  response.on('error', (cause) =>
    fail('unreachable', `broke off after ${bytes} bytes: ${reasonOf(cause)}`, { status, cause }),
  );
  response.on('end', () => {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
      settle(JSON.parse(text));
    } catch (cause) {
      fail('not_json', `was answered with what is not valid JSON: ${messageOf(cause)}`, { status, cause });
    }
  });
}

function httpUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const message = `"${address}" is not an address of a web server; write http://<host>[:<port>]/<path>`;
  throw new TransportError('address_invalid', address, message);
}
