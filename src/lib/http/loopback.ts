import { isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** True for 127.0.0.0/8, ::1, their mapped form and `localhost`. */
export function isLoopback(host: string): boolean {
  const name = bare(host);
  if (name === 'localhost' || name === '::1') return true;
  const mapped = name.startsWith('::ffff:') ? name.slice(7) : name;
  return isIPv4(mapped) && mapped.startsWith('127.');
}

/** True for an address of one of this machine's interfaces. */
export function isLocalAddress(host: string): boolean {
  const name = bare(host);
  if (!isIPv4(name) && !isIPv6(name)) return false;
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === name));
}

/** Empty, `localhost`, 127.0.0.0/8, ::1 and every address of an interface of this machine are local. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === '' || isLoopback(hostname) || isLocalAddress(hostname);
}

/** Host part of a `Host` header or authority, lower case, without port and brackets; undefined when malformed. */
export function hostOf(authority: string): string | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/@\s]+))(?::(\d{1,5}))?$/.exec(authority.trim());
  const host = match?.[1] ?? match?.[2];
  return host === undefined ? undefined : bare(host);
}

function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
