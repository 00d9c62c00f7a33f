import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import weights from '../../window/ocr/glyph/weights.json';
import { Browser } from '../window-training/browser.ts';
import { recipe } from '../window-training/recipe.ts';
import { examplesOf } from './examples.ts';
import { learn } from './learn.ts';
import { ENTRIES } from './make.ts';
import { drawPage } from './pages.ts';

const test = suite();

const CHROMIUM = '/usr/bin/chromium';
const SIZE = { width: 1280, height: 800 };
const withChromium = test.needs(existsSync(CHROMIUM), `${CHROMIUM} is not installed`);

test(
  'WIN-033 the shipped weights of the letters were made by this code',
  async () => {
    assert.is(weights.made.recipe, await recipe('.', ENTRIES), 'train again: npm run train:glyphs');
  },
  { timeoutMs: 120_000 },
);

withChromium(
  'WIN-033 two starts of the browser and one seed make the same letters and learn the same from them',
  async () => {
    const digestOf = async (): Promise<string> => {
      const random = seededRandom(5);
      const browser = await Browser.open(CHROMIUM, SIZE);
      try {
        const { pixels, shown } = await drawPage(browser, 1, random);
        const examples = shown.slice(0, 40).flatMap((one) => examplesOf(pixels, one, random));
        assert.ok(examples.length > 100, `${examples.length} examples`);
        const { first, second } = learn(examples, 1, random, () => undefined);
        return createHash('sha256').update(first).update(second).digest('hex');
      } finally {
        await browser.close();
      }
    };
    assert.is(await digestOf(), await digestOf());
  },
  { timeoutMs: 240_000 },
);

test.run();
