import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import type { Network } from '../../window/ocr/glyph/network.ts';
import { choice } from '../ocr-benchmark/choice.ts';
import { fontsFor } from '../ocr-benchmark/fonts.ts';
import { CACHE, SMOOTHINGS, ZOOMS } from '../ocr-benchmark/generated.ts';
import { Browser } from '../window-training/browser.ts';
import { type Example, examplesOf } from './examples.ts';
import { learn } from './learn.ts';
import { drawPage } from './pages.ts';

export interface MakeOptions {
  seed: number;
  pages: number;
  epochs: number;
  chromium: string;
  say: (text: string) => void;
}

/** Where all that makes these weights begins, for their recipe. */
export const ENTRIES = ['src/lab/glyph-training/make.ts'];
const SIZE = { width: 1280, height: 800 };
/** Of the examples, those that nothing is learned from. */
const KEPT_APART = 0.03;
/** Seeds of the pages of each smoothing, and of what is learned of them. */
const SEEDS = { base: 77_000_000, smoothing: 10_000, learning: 999_999 };

/** Draws pages and learns from them: the same seed, pages and fonts make the same network, bit for bit. */
export async function make({ seed, pages, epochs, chromium, say }: MakeOptions): Promise<{
  network: Network;
  /** Examples that nothing was learned from. */
  apart: Example[];
  /** SHA-256 of the examples that were learned from. */
  examples: string;
}> {
  mkdirSync(CACHE, { recursive: true });
  const [learned, apart]: [Example[], Example[]] = [[], []];
  const first = SEEDS.base + seed * 1_000_000;
  for (const [s, smoothing] of SMOOTHINGS.entries()) {
    const browser = await Browser.open(chromium, SIZE, fontsFor(smoothing, CACHE, { withMore: true }));
    try {
      for (let page = 0; page < pages / SMOOTHINGS.length; page++) {
        const random = seededRandom(first + s * SEEDS.smoothing + page);
        const { pixels, shown } = await drawPage(browser, choice(random, ZOOMS), random);
        for (const one of shown)
          (random() < KEPT_APART ? apart : learned).push(...examplesOf(pixels, one, random));
      }
    } finally {
      await browser.close();
    }
    say(`${learned.length} examples`);
  }
  const hash = createHash('sha256');
  for (const { view, label } of learned) hash.update(view).update(String(label));
  const network = learn(learned, epochs, seededRandom(first + SEEDS.learning), say);
  return { network, apart, examples: hash.digest('hex') };
}
