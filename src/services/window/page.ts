import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '../../lib/http/page-files.ts';

/** Nothing from elsewhere, and no script but its own: the page shows names and texts of foreign images. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Beside a built program, else beside this source. */
const PLACES = ['./svc-window-page/', './page/'];

/** The page for people. Without its files, as in a bundle alone, there is none. */
export function windowPage(): Page | undefined {
  const folder = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) =>
    existsSync(join(place, 'index.html')),
  );
  if (folder === undefined) return undefined;
  return { folder, headers: { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' } };
}
