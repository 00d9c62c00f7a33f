import { seededRandom } from '../../lib/random/seeded-random.ts';
import { Browser } from '../window-training/browser.ts';
import { choice } from './choice.ts';
import { fontsFor, type Smoothing } from './fonts.ts';
import type { Kind } from './samples.ts';
import { drawSheet, type Part, type Sheet } from './sheet.ts';

/** Fonts and what is made for the benchmark. */
export const CACHE = 'node_modules/.cache/svc-rig';

export const SMOOTHINGS: readonly Smoothing[] = [
  { subpixel: false, hinting: 'none' },
  { subpixel: true, hinting: 'slight' },
  { subpixel: true, hinting: 'full' },
  { subpixel: false, hinting: 'full' },
];
export const ZOOMS = [1, 1, 1.5, 2];
/** Looked at once, for the closing figures. */
export const HELD_BACK_SEED = 20_261_126;
const SIZE = { width: 1280, height: 800 };

export interface Wanted {
  part: Part;
  seed: number;
  /** Sheets of each kind for each smoothing. */
  sheets: Readonly<Record<Kind, number>>;
}

/** Sheets that a seed makes, one after the other. */
export async function* generatedSheets(
  { part, seed, sheets }: Wanted,
  chromium: string,
): AsyncGenerator<Sheet> {
  for (const [s, smoothing] of SMOOTHINGS.entries()) {
    const browser = await Browser.open(chromium, SIZE, fontsFor(smoothing, CACHE));
    try {
      for (const kind of ['text', 'number', 'segments', 'none'] as const)
        for (let i = 0; i < sheets[kind]; i++) {
          // Each sheet has a seed of its own, so that fewer of them are the same ones.
          const random = seededRandom(seed * 1_000_003 + s * 10_007 + i * 101 + kind.length);
          yield await drawSheet(browser, kind, part, choice(random, ZOOMS), random);
        }
    } finally {
      await browser.close();
    }
  }
}
