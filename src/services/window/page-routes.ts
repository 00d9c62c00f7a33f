import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Route, route } from '../../lib/http/route.ts';

const FILES = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/window.css', file: 'window.css', type: 'text/css; charset=utf-8' },
  { path: '/window.js', file: 'window.js', type: 'text/javascript; charset=utf-8' },
] as const;

/** Nothing from elsewhere, and no script but its own: the page shows names and texts of foreign images. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Beside a built program, else beside this source. */
const PLACES = ['./svc-window-page/', './page/'];

/** The page for people; read at the start. Without its files, as in a bundle alone, there is none. */
export function pageRoutes(): Route[] {
  const folder = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) =>
    existsSync(join(place, 'index.html')),
  );
  if (folder === undefined) return [];
  return FILES.map(({ path, file, type }) => {
    const content = readFileSync(join(folder, file), 'utf8');
    const headers = {
      'content-type': type,
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
    };
    return route({
      method: 'GET',
      path,
      summary: `The page: ${file}`,
      // Nothing secret: what it asks for needs the token.
      access: 'open',
      answerType: type.split(';')[0] ?? type,
      handler: () => ({ status: 200, text: content, headers }),
    });
  });
}
