import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { TransportError } from '../transport-error.ts';
import { httpFault } from './http-fault.ts';

export interface GetJsonOptions {
  /** Milliseconds for the whole exchange, from the name look-up to the last byte. */
  timeoutMs: number;
  /** Largest body that is read. */
  maxBytes: number;
  /** Sent as a bearer token. */
  token?: string;
  clock: Clock;
  /** Ends the exchange; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Asks an HTTP server for one JSON value. Only status 200 with a whole JSON body in UTF-8 is an answer. The connection
 * is used once, is never kept, and is closed when the promise settles.
 *
 * @throws TransportError `address_invalid` for a text that is no http or https URL; `http_failed` with `reason`
 *   `unreachable`, `timeout`, `status`, `too_large`, `redirect` or `not_json`, and `status` when one came
 */
export async function getJson(address: string, options: GetJsonOptions): Promise<unknown> {
  const { timeoutMs, maxBytes, token, clock, signal } = options;
  const url = httpUrl(address);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const settle = (outcome: { value: unknown } | { error: unknown }) => {
      cancelLimit();
      signal?.removeEventListener('abort', onAbort);
      request.destroy();
      if ('value' in outcome) resolve(outcome.value);
      else reject(outcome.error);
    };
    const fail = (...[reason, what, details]: HttpFaultTail) =>
      settle({ error: httpFault(url, reason, what, details) });
    let request: ClientRequest;
    try {
      request = startGet(url, token);
    } catch (cause) {
      reject(httpFault(url, 'unreachable', `cannot be asked: ${messageOf(cause)}`, { cause }));
      return;
    }
    const onAbort = () => settle({ error: signal?.reason });
    signal?.addEventListener('abort', onAbort, { once: true });
    const cancelLimit = clock.after(timeoutMs, () =>
      fail('timeout', `gave no whole answer within ${timeoutMs} ms`),
    );

    request.on('error', (cause) => fail('unreachable', `failed: ${messageOf(cause)}`, { cause }));
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status >= 300 && status < 400)
        fail('redirect', `was answered with ${status} to ${response.headers.location ?? 'nowhere'}`, {
          status,
        });
      else if (status !== 200) fail('status', `was answered with status ${status}`, { status });
      else readBody(response, maxBytes, settle, fail);
    });
    request.end();
  });
}

/** @throws TypeError when the token cannot stand in a header */
function startGet(url: URL, token: string | undefined): ClientRequest {
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  return send(url, {
    agent: false,
    headers: {
      accept: 'application/json',
      connection: 'close',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
}

type HttpFaultTail = Parameters<typeof httpFault> extends [URL, ...infer Tail] ? Tail : never;

function readBody(
  response: IncomingMessage,
  maxBytes: number,
  settle: (outcome: { value: unknown }) => void,
  fail: (...tail: HttpFaultTail) => void,
): void {
  const status = 200;
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
    fail('unreachable', `broke off after ${bytes} bytes: ${messageOf(cause)}`, { status, cause }),
  );
  response.on('end', () => {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
      settle({ value: JSON.parse(text) });
    } catch (cause) {
      fail('not_json', `was answered with what is no JSON: ${messageOf(cause)}`, { status, cause });
    }
  });
}

function httpUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const message = `"${address}" is no address of a web server; write http://<host>[:<port>]/<path>`;
  throw new TransportError('address_invalid', address, message);
}
