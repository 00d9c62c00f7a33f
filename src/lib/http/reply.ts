import type { ServerResponse } from 'node:http';

/** What a route answers. `body` is JSON unless `text`, `bytes` or `stream` is given. */
export interface Reply {
  status: number;
  body?: unknown;
  text?: string;
  bytes?: Uint8Array;
  /** Sent piece by piece as it comes; ends by `signal` of the route when the client goes or the service stops. */
  stream?: AsyncIterable<string>;
  headers?: Record<string, string>;
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return { status, body, headers };
}

export function text(content: string, contentType: string, status = 200): Reply {
  return { status, text: content, headers: { 'content-type': contentType } };
}

export function bytes(content: Uint8Array, contentType: string): Reply {
  return { status: 200, bytes: content, headers: { 'content-type': contentType } };
}

/**
 * An answer without end. The deadline of the route counts until its first byte. A generator is not started for HEAD,
 * is asked for the next piece only when the client has taken the last one, and is ended with the connection.
 */
export function stream(pieces: AsyncIterable<string>, contentType: string, status = 200): Reply {
  return { status, stream: pieces, headers: { 'content-type': contentType } };
}

/**
 * Sends a reply once; a connection that is already gone is left alone. Of a stream only the head is sent.
 *
 * @param extra headers that the kit adds to whatever the route answers
 * @throws TypeError when the body cannot be JSON or a header is malformed; then nothing has been sent
 */
export function send(response: ServerResponse, reply: Reply, extra?: Readonly<Record<string, string>>): void {
  if (response.headersSent || response.destroyed) return;
  const headers: Record<string, string | number> = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  for (const name in reply.headers) headers[name] = reply.headers[name] ?? '';
  for (const name in extra) headers[name] = extra[name] ?? '';
  if (reply.stream) {
    response.writeHead(reply.status, headers).flushHeaders();
    return;
  }
  if (reply.status === 204) {
    delete headers['content-type'];
    response.writeHead(204, headers).end();
    return;
  }
  const payload = reply.bytes ?? reply.text ?? JSON.stringify(reply.body);
  headers['content-length'] = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.byteLength;
  response.writeHead(reply.status, headers).end(payload);
}

/**
 * Sends the pieces as they come, the next one when the client has taken the last. Resolves when all are out or when
 * `stop` aborts, which ends the answer; a source that fails breaks the connection off, so that no client takes half an
 * answer for a whole one. @throws whatever the source throws
 */
export async function sendStream(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  stop: AbortSignal,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const untilStopped = raceWith(stop);
  try {
    for (;;) {
      const next = await untilStopped(iterator.next());
      // Writing to a connection that is gone would be an error that cannot be caught.
      if (next === STOPPED || next.done || response.destroyed) break;
      if (response.write(next.value)) continue;
      if ((await untilStopped(drained(response))) === STOPPED) break;
    }
    response.end();
  } catch (thrown) {
    response.destroy();
    throw thrown;
  } finally {
    // Not awaited: a generator that waits for something else would keep the request of a closed connection running.
    iterator.return?.().catch(() => {});
  }
}

const STOPPED = Symbol('stopped');

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve));
}

/** `Promise.race` with one promise that lasts as long as the stream would keep every piece in memory. */
function raceWith(stop: AbortSignal): <T>(work: Promise<T>) => Promise<T | typeof STOPPED> {
  let cut = () => {};
  stop.addEventListener('abort', () => cut(), { once: true });
  return (work) =>
    new Promise((resolve, reject) => {
      cut = () => resolve(STOPPED);
      work.then(resolve, reject);
      if (stop.aborted) cut();
    });
}

export const NDJSON_TYPE = 'application/x-ndjson';

/** One line of JSON for each entry. */
export function ndjsonStream(entries: AsyncIterable<object>): Reply {
  return stream(
    mapped(entries, (entry) => `${JSON.stringify(entry)}\n`),
    NDJSON_TYPE,
  );
}

export interface ServerSentEvent {
  /** What the client sends back as `Last-Event-ID` when it comes again. */
  id?: string | number;
  event?: string;
  /** Sent as one line of JSON. */
  data: unknown;
}

/** As `ServerSentEvent`, with data that is JSON already. */
export interface WrittenEvent {
  id?: string | number;
  event?: string;
  json: string;
}

/** A comment keeps a silent connection open and is nothing to the client. */
export interface Comment {
  comment: string;
}

/** Milliseconds after which a browser that lost the stream asks again. */
export interface Retry {
  retry: number;
}

export type StreamEntry = ServerSentEvent | WrittenEvent | Comment | Retry;

/** Server-sent events (HTML standard, section 9.2). */
export function eventStream(events: AsyncIterable<StreamEntry>): Reply {
  return stream(mapped(events, eventText), 'text/event-stream; charset=utf-8');
}

export function eventText(event: StreamEntry): string {
  if ('retry' in event) return `retry: ${event.retry}\n\n`;
  if ('comment' in event) return `: ${oneLine(event.comment)}\n\n`;
  const id = event.id === undefined ? '' : `id: ${oneLine(String(event.id))}\n`;
  const name = event.event === undefined ? '' : `event: ${oneLine(event.event)}\n`;
  return `${id}${name}data: ${'json' in event ? event.json : JSON.stringify(event.data)}\n\n`;
}

/** A line break inside a field would begin another one. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ');
}

async function* mapped<T>(source: AsyncIterable<T>, write: (entry: T) => string): AsyncGenerator<string> {
  for await (const entry of source) yield write(entry);
}
