import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Made } from '../../window/detect/model.ts';
import { screensOf } from '../window-benchmark/truth.ts';
import { lesson } from './lesson.ts';
import { recipe } from './recipe.ts';
import { sliceDigest } from './slice.ts';

const USAGE = `Trains the detector on known screens, those that "npm run screens" has made, and writes its weights.

  npm run train:window -- [--screens node_modules/.cache/svc-rig/screens/dev] [--seed 1] [--rounds 240] [--out FILE]

The same screens, seed and rounds give the same weights, byte for byte.
`;

const OUT = 'src/window/detect/weights.json';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      screens: { type: 'string', default: 'node_modules/.cache/svc-rig/screens/dev' },
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '240' },
      out: { type: 'string', default: OUT },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const seed = wholeNumber('--seed', values.seed);
  const rounds = wholeNumber('--rounds', values.rounds);
  const { weights, screens, count } = await lesson(screensOf(values.screens), {
    seed,
    rounds,
    say: (what) => void process.stderr.write(`${what}\n`),
  });
  const made: Made = { recipe: await recipe(), slice: await sliceDigest(), screens, count, seed, rounds };
  writeFileSync(values.out, `${JSON.stringify({ made, ...weights }, null, 1)}\n`);
  process.stdout.write(`${values.out}: ${JSON.stringify(made)}\n`);
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${option} is ${JSON.stringify(text)}: it must be a whole number above 0`);
  return value;
}

await main();
