import type { ServerResponse } from 'node:http';

/** What a route answers. `body` is JSON unless `text` or `stream` is given. */
export interface Reply {
  status: number;
  body?: unknown;
  text?: string;
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
  const payload = reply.text ?? JSON.stringify(reply.body);
  const length = Buffer.byteLength(payload);
  headers['content-length'] = length;
  // One byte for each character means ASCII, of which the other name of the same bytes is written faster.
  response.writeHead(reply.status, headers).end(payload, length === payload.length ? 'latin1' : 'utf8');
}
