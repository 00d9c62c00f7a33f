// npm run train:glyphs -- [--pages=36] [--epochs=8] [--seed=1] [--out=FILE]: makes src/window/ocr/glyph/weights.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { CLASSES } from '../../window/ocr/glyph/classes.ts';
import { classify, networkOf, storedNetwork } from '../../window/ocr/glyph/network.ts';
import { choice } from '../ocr-benchmark/choice.ts';
import { fontsFor } from '../ocr-benchmark/fonts.ts';
import { CACHE, SMOOTHINGS, ZOOMS } from '../ocr-benchmark/generated.ts';
import { Browser } from '../window-training/browser.ts';
import { type Example, examplesOf } from './examples.ts';
import { learn } from './learn.ts';
import { drawPage } from './pages.ts';

const WEIGHTS = 'src/window/ocr/glyph/weights.json';
const SIZE = { width: 1280, height: 800 };
/** Of the examples, those that nothing is learned from. */
const KEPT_APART = 0.03;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      pages: { type: 'string', default: '36' },
      epochs: { type: 'string', default: '8' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: WEIGHTS },
      chromium: { type: 'string', default: '/usr/bin/chromium' },
    },
  });
  const random = seededRandom(Number(values.seed) + 77_000_000);
  mkdirSync(CACHE, { recursive: true });
  const [learned, apart]: [Example[], Example[]] = [[], []];
  for (const smoothing of SMOOTHINGS) {
    const browser = await Browser.open(values.chromium, SIZE, fontsFor(smoothing, CACHE));
    try {
      for (let page = 0; page < Number(values.pages) / SMOOTHINGS.length; page++) {
        const { pixels, shown } = await drawPage(browser, choice(random, ZOOMS), random);
        for (const one of shown)
          (random() < KEPT_APART ? apart : learned).push(...examplesOf(pixels, one, random));
      }
    } finally {
      await browser.close();
    }
    say(`${learned.length} examples`);
  }
  const stored = storedNetwork(learn(learned, Number(values.epochs), random, say));
  writeFileSync(values.out, `${JSON.stringify(stored)}\n`);
  const network = networkOf(stored);
  const missed = new Map<string, number>();
  for (const { view, label } of apart) {
    const found = classify(network, view);
    const best = found.indexOf(Math.max(...found));
    const name = `${CLASSES[label] || 'none'}>${CLASSES[best] || 'none'}`;
    if (best !== label) missed.set(name, (missed.get(name) ?? 0) + 1);
  }
  const wrong = [...missed.values()].reduce((sum, count) => sum + count, 0);
  say(`of ${apart.length} others ${((100 * (apart.length - wrong)) / apart.length).toFixed(2)} % right`);
  say(
    [...missed]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 40)
      .map(([name, count]) => `${name} ${count}`)
      .join('  '),
  );
}

await main();
