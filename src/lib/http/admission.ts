import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Exposure } from './exposure.ts';
import { HttpError } from './http-error.ts';
import { hostOf, isLocalAddress, isLoopback } from './loopback.ts';
import type { Reply } from './reply.ts';
import { sessionIn, sessionOf } from './session.ts';

/**
 * A web page in some browser must not drive the rig: neither by naming our address (Host, against DNS rebinding) nor
 * by posting across origins (Origin), nor by an image or a form that a browser says is of another site
 * (Sec-Fetch-Site).
 * @throws HttpError `host_refused`, `origin_refused`; `invalid_request` where Host could mean two things
 */
export function checkHostAndOrigin(request: IncomingMessage, exposure: Exposure): void {
  checkOneHost(request);
  const authority = request.headers.host ?? '';
  checkHost(authority, request, exposure);
  const origin = request.headers.origin;
  if (origin !== undefined && isListedOrigin(origin, request, exposure)) return;
  if (isCrossSite(request) && !isNavigation(request)) throw crossSite();
  if (origin === undefined) return;
  if (origin.toLowerCase() === `http://${authority.toLowerCase()}`) return;
  throw new HttpError(
    'origin_refused',
    `Origin ${JSON.stringify(origin)} is not this service; add it to SVC_ALLOWED_ORIGINS to allow it`,
  );
}

/** Whether a page of this origin may ask, and read the answer, beside the pages of the service itself. */
export function isListedOrigin(origin: string, { headers }: IncomingMessage, exposure: Exposure): boolean {
  const { allowedOrigins, pagePort } = exposure;
  if (allowedOrigins.includes(origin)) return true;
  if (pagePort === undefined) return false;
  return origin.toLowerCase() === originAt(headers.host ?? '', pagePort());
}

/** The origin of a page at another port of a host, as a browser writes it: without port 80. */
function originAt(authority: string, port: number): string | undefined {
  const url = `http://${authority.replace(/:\d+$/, '')}:${port}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/**
 * For a GET that lets a device work for long: no page of another site may start it, not even by a link.
 * @throws HttpError `origin_refused`
 */
export function checkSameSite(request: IncomingMessage): void {
  const { referer } = request.headers;
  const isForeign = referer !== undefined && hostIn(referer) !== request.headers.host?.toLowerCase();
  if (isCrossSite(request) || isForeign) throw crossSite();
}

const isCrossSite = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-site'] === 'cross-site';

/** A link or an address that a person follows. */
const isNavigation = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && headers['sec-fetch-mode'] === 'navigate';

const crossSite = () =>
  new HttpError(
    'origin_refused',
    'a page of another site (Sec-Fetch-Site, Referer) may not ask this; open it from a page of this service',
  );

const hostIn = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

/** Node takes the first of two Host headers, and another host that stands in the target is not looked at. */
function checkOneHost({ url = '', rawHeaders }: IncomingMessage): void {
  if (!url.startsWith('/') && url !== '*')
    throw new HttpError(
      'invalid_request',
      'the target of the request is not a path; send the host in Host only',
    );
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) throw new HttpError('invalid_request', `Host is sent ${hosts} times; send it once`);
}

function checkHost(authority: string, request: IncomingMessage, exposure: Exposure): void {
  const host = hostOf(authority);
  if (host !== undefined && (isLoopback(host) || exposure.allowedHosts.includes(host))) return;
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
  if (isEqual(given, exposure.token)) return;
  if (exposure.acceptsSession && isEqual(sessionIn(request) ?? '', sessionOf(exposure.token))) return;
  throw unauthorized('a valid bearer token (SVC_API_TOKEN) is required');
}

export const unauthorized = (message: string): HttpError =>
  new HttpError('unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });

/** Takes the same time whatever was sent. */
export const isEqual = (given: string, secret: string): boolean =>
  timingSafeEqual(digest(given), digest(secret));

/** Equal lengths whatever was sent, so that the comparison takes the same time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Lets a listed origin read the answer; a wildcard is never sent. */
export function originHeaders(request: IncomingMessage, exposure: Exposure): Record<string, string> {
  const origin = request.headers.origin;
  if (origin === undefined || !isListedOrigin(origin, request, exposure)) return {};
  const credentials = exposure.acceptsSession ? { 'access-control-allow-credentials': 'true' } : {};
  return { 'access-control-allow-origin': origin, vary: 'Origin', ...credentials };
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
