import { createHash } from 'node:crypto';
import { LATE_DIALECTS } from './web/late-dialects.ts';
import { LATE_PAGES } from './web/package-pages.ts';

/** One family of six is held back as a whole, and of the others one page of four: about a third of all. */
const FAMILY_PART = 6;
const PAGE_PART = 4;

const LATE = new Set([
  ...LATE_DIALECTS.map(({ family }) => family),
  ...LATE_PAGES.map((name) => `${name} pages`),
]);

export const SPLITS = ['dev', 'held', 'late'] as const;
export type Split = (typeof SPLITS)[number];

/**
 * Whether a screen may be trained and tuned on (`dev`), or is looked at only to judge what has been made: `held`, and `late` of
 * families that came when the detector had been made. A page is on one side at all its densities. Windows of no toolkit are for
 * training only.
 */
export function splitOf(family: string, page: string): Split {
  if (family.startsWith('generated')) return 'dev';
  if (LATE.has(family)) return 'late';
  return part(family, FAMILY_PART) === 0 || part(page, PAGE_PART) === 0 ? 'held' : 'dev';
}

const part = (name: string, of: number): number =>
  createHash('sha256').update(`held back: ${name}`).digest().readUInt32BE(0) % of;
