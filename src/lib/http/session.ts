import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A page in a browser has it in place of the token, which no script can read back from it. */
const COOKIE = 'svc_session';
/** Seconds for which a browser keeps it; another token ends it earlier. */
const LIFETIME_S = 30 * 24 * 3600;

/** What the cookie of a token holds. Every service with the same token accepts it; the token does not follow from it. */
export const sessionOf = (token: string): string =>
  createHmac('sha256', token).update('svc-rig page session 1').digest('base64url');

/** Of a request; undefined when it has none. */
export function sessionIn({ headers }: IncomingMessage): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

/**
 * `Set-Cookie` for a page. SameSite=Strict: a request that another site causes does not carry it. Not `Secure`, since the
 * rig is reached by plain HTTP.
 */
export const sessionCookie = (token: string): string =>
  `${COOKIE}=${sessionOf(token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${LIFETIME_S}`;

export const noSessionCookie = `${COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`;
