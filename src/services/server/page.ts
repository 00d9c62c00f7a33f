import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '../../lib/http/page-files.ts';

/** Beside a built program; for the sources the folder of the build. */
const PLACES = ['./svc-server-page/', '../../../dist/svc-server-page/'];

/**
 * What the page may do: nothing from elsewhere, no script or style but its own files, no text that becomes HTML. It may
 * ask this service, and the guard at its own port of the same host.
 */
const policy = (guard: string): string =>
  [
    "default-src 'none'",
    // A report of a breach then has the beginning of what was refused.
    "script-src 'self' 'report-sample'",
    "style-src 'self' 'report-sample'",
    "img-src 'self' data:",
    "worker-src 'self'",
    `connect-src 'self' ${guard}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svc-worker',
  ].join('; ');

const pageFolder = (): string | undefined =>
  PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) =>
    existsSync(join(place, 'index.html')),
  );

/** Name of the page's script as it is served; a page with another one is of a version before. Null where there is no page. */
export function pageScript(): string | null {
  const folder = pageFolder();
  if (folder === undefined) return null;
  const [, name] = /src="assets\/([^"/]+)"/.exec(readFileSync(join(folder, 'index.html'), 'utf8')) ?? [];
  return name ?? null;
}

/**
 * The operator page, for `/`. Without its files, as in a bundle alone, there is none.
 * @param guardPort where the guard takes stops now
 */
export function operatorPage(guardPort: () => number): Page | undefined {
  const folder = pageFolder();
  if (folder === undefined) return undefined;
  return {
    folder,
    hashed: '/assets/',
    headers: ({ headers }: IncomingMessage) => ({
      'content-security-policy': policy(`http://${hostIn(headers.host)}:${guardPort()}`),
      'referrer-policy': 'no-referrer',
    }),
  };
}

/**
 * The host was checked before a file is sent: this machine, or a name that is allowed. A policy cannot name an IPv6 address,
 * browsers discard it: any host at the port of the guard then.
 */
function hostIn(authority = ''): string {
  const host = authority.replace(/:\d+$/, '');
  return host.startsWith('[') ? '*' : host;
}
