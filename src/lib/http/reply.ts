import type { ServerResponse } from 'node:http';

/** What a route answers. `body` is JSON unless `text` is given. */
export interface Reply {
  status: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return { status, body, headers };
}

export function text(content: string, contentType: string, status = 200): Reply {
  return { status, text: content, headers: { 'content-type': contentType } };
}

/** Sends a reply once; a connection that is already gone is left alone. */
export function send(response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const payload = Buffer.from(reply.text ?? JSON.stringify(reply.body));
  response.statusCode = reply.status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  response.setHeader('content-length', payload.length);
  response.end(payload);
}
