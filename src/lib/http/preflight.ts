import type { IncomingMessage } from 'node:http';
import type { Exposure } from './exposure.ts';
import { isListedOrigin } from './guard-request.ts';
import type { Reply } from './reply.ts';

/** Lets a listed origin read the answer; a wildcard is never sent (services specification, section 2.1). */
export function originHeaders(request: IncomingMessage, exposure: Exposure): Record<string, string> {
  const origin = request.headers.origin;
  if (origin === undefined || !isListedOrigin(origin, request, exposure)) return {};
  return { 'access-control-allow-origin': origin, vary: 'Origin' };
}

/** What a browser asks before it sends a request of a listed origin. */
export function preflightReply(allow: string): Reply {
  return {
    status: 204,
    text: '',
    headers: {
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'Authorization, Content-Type, X-Lease-Id, X-Request-Id',
    },
  };
}
