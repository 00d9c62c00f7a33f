import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Exposure } from './exposure.ts';
import { HttpError } from './http-error.ts';
import { hostOf, isLocalAddress, isLoopback } from './loopback.ts';

/**
 * A web page in some browser must not drive the rig: neither by naming our address (Host, against DNS rebinding) nor
 * by posting across origins (Origin). @throws HttpError `host_refused`, `origin_refused`
 */
export function checkHostAndOrigin(request: IncomingMessage, exposure: Exposure): void {
  const authority = request.headers.host ?? '';
  if (authority !== lastNamed.get(exposure)) checkHost(authority, request, exposure);
  const origin = request.headers.origin;
  if (origin === undefined || exposure.allowedOrigins.includes(origin)) return;
  if (origin.toLowerCase() === `http://${authority.toLowerCase()}`) return;
  throw new HttpError(
    'origin_refused',
    `Origin ${JSON.stringify(origin)} is not this service; add it to SVC_ALLOWED_ORIGINS to allow it`,
  );
}

/** The last `Host` that was allowed by its name alone: nearly always the next one too. */
const lastNamed = new WeakMap<Exposure, string>();

function checkHost(authority: string, request: IncomingMessage, exposure: Exposure): void {
  const host = hostOf(authority);
  if (host !== undefined && (isLoopback(host) || exposure.allowedHosts.includes(host))) {
    lastNamed.set(exposure, authority);
    return;
  }
  // The address that the client has connected to is ours without asking the machine for all it has.
  if (host !== undefined && (host === request.socket.localAddress || isLocalAddress(host))) return;
  throw new HttpError(
    'host_refused',
    `Host ${JSON.stringify(authority)} is not this machine; add it to SVC_ALLOWED_HOSTS to allow it`,
  );
}

/** @throws HttpError `unauthorized` */
export function checkToken(
  request: IncomingMessage,
  exposure: Exposure,
  access: 'token' | 'loopback' | 'open',
): void {
  if (exposure.token === undefined || access === 'open') return;
  if (access === 'loopback' && isLoopback(request.socket.remoteAddress ?? '')) return;
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (timingSafeEqual(digest(given), digest(exposure.token))) return;
  throw new HttpError('unauthorized', 'a valid bearer token (SVC_API_TOKEN) is required', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** Equal lengths whatever was sent, so that the comparison takes the same time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
