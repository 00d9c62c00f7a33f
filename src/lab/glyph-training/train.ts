// npm run train:glyphs -- [--pages=200] [--epochs=5] [--seed=1] [--out=FILE]: makes src/window/ocr/glyph/weights.json.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { CLASSES } from '../../window/ocr/glyph/classes.ts';
import { classify, networkOf, storedNetwork } from '../../window/ocr/glyph/network.ts';
import { recipe } from '../window-training/recipe.ts';
import { ENTRIES, make } from './make.ts';

const WEIGHTS = 'src/window/ocr/glyph/weights.json';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      pages: { type: 'string', default: '200' },
      epochs: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: WEIGHTS },
      chromium: { type: 'string', default: '/usr/bin/chromium' },
    },
  });
  const [seed, pages, epochs] = [Number(values.seed), Number(values.pages), Number(values.epochs)];
  const {
    network: learned,
    apart,
    examples,
  } = await make({ seed, pages, epochs, chromium: values.chromium, say });
  const made = { recipe: await recipe('.', ENTRIES), examples, seed, pages, epochs };
  const stored = storedNetwork(learned);
  writeFileSync(values.out, `${JSON.stringify({ made, ...stored }, null, 2)}\n`);
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
