import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { decodePng } from '../../window/image/png/decode.ts';
import { Browser } from './browser.ts';
import { type Examples, examplesOf } from './examples.ts';
import { learn } from './learn.ts';
import { page } from './pages/page.ts';
import { TRUTH_SCRIPT, type TruthItem } from './truth-script.ts';

const USAGE = `Trains the detector on generated pages and writes its weights.

  npm run train:window -- [--pages 2600] [--seed 1] [--rounds 200] [--chromium /usr/bin/chromium] [--out FILE]

The same options, fonts and Chromium give the same weights.
`;

const SIZE = { width: 1280, height: 800 };
/** Pixels for each of a page's, page by page: most displays are plain, some are dense. */
const DENSITIES = [1, 1, 1, 1.5, 1, 2, 1, 1.25] as const;
/** Each page goes to the one that is free; what is learned does not depend on which. */
const BROWSERS = 3;
const OUT = fileURLToPath(new URL('../../window/detect/weights.json', import.meta.url));

/** Shows the pages one after the other and learns from what is seen of them. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      pages: { type: 'string', default: '2600' },
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '200' },
      chromium: { type: 'string', default: '/usr/bin/chromium' },
      out: { type: 'string', default: OUT },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const count = wholeNumber('--pages', values.pages);
  const seed = wholeNumber('--seed', values.seed);
  const rounds = wholeNumber('--rounds', values.rounds);
  const examples: Examples[] = [];
  let next = 0;
  const look = async (): Promise<void> => {
    const browser = await Browser.open(values.chromium, SIZE);
    try {
      for (let i = next++; i < count; i = next++) {
        const density = DENSITIES[i % DENSITIES.length] ?? 1;
        await browser.zoom(density);
        await browser.show(page(seed * 1_000_000 + i));
        const truth = (await browser.evaluate(TRUTH_SCRIPT)) as TruthItem[];
        examples[i] = examplesOf(await decodePng(await browser.shot()), truth, density);
        if (i % 100 === 99) process.stderr.write(`${i + 1} of ${count} pages\n`);
      }
    } finally {
      await browser.close();
    }
  };
  await Promise.all(Array.from({ length: BROWSERS }, look));
  const weights = learn(examples, {
    seed,
    rounds,
    onRound: (what, round, loss) => {
      if (round % 20 === 0) process.stderr.write(`${what}: round ${round}, loss ${loss.toFixed(5)}\n`);
    },
  });
  writeFileSync(values.out, `${JSON.stringify(weights, null, 1)}\n`);
  process.stderr.write(`${values.out} written\n`);
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${option} is ${JSON.stringify(text)}: it must be a whole number above 0`);
  return value;
}

await main();
