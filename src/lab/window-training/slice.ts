import { createHash } from 'node:crypto';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { type Color, flat, paint } from '../../test-kit/window/pictures.ts';
import { frame, writeText } from '../../test-kit/window/write-text.ts';
import type { TruthItem } from '../window-benchmark/truth.ts';
import { boostJob } from './boost.ts';
import { type Examples, examplesOf } from './examples.ts';
import { learn } from './learn.ts';

const PICTURES = 4;
const WORDS = ['PRESSURE', 'FLOW', 'STOP', 'LIMIT', 'VALVE OPEN', 'MASK'];

/**
 * SHA-256 of what is learned from a few drawn pictures: a slice of training that needs no browser and takes a moment, so that a test
 * can tell whether this code still learns as it did when the weights were made.
 */
export async function sliceDigest(seed = 1): Promise<string> {
  const weights = await learn(
    Array.from({ length: PICTURES }, (_, k) => drawn(k)),
    {
      seed,
      rounds: 2,
      grow: async (job) => boostJob(job),
    },
  );
  return createHash('sha256').update(JSON.stringify(weights)).digest('hex');
}

function drawn(seed: number): Examples {
  const random = seededRandom(seed);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from));
  const ground: Color = [whole(200, 255), whole(200, 255), whole(200, 255)];
  const pixels = flat(480, 360, ground);
  const items: TruthItem[] = [];
  for (let y = 20; y < 320; y += 40) {
    const word = WORDS[whole(0, WORDS.length)] as string;
    const x = whole(10, 60);
    const end = writeText(pixels, x, y + 8, word, [20, 20, 30]);
    items.push({ class: 'text', box: { x, y: y + 8, width: end - x, height: 14 } });
    const width = whole(80, 160);
    const isButton = random() < 0.5;
    paint(pixels, 260, y, width, 30, isButton ? [60, 90, 170] : [255, 255, 255]);
    frame(pixels, 260, y, width, 30, [110, 110, 120]);
    if (isButton) writeText(pixels, 272, y + 8, 'GO', [255, 255, 255]);
    items.push({
      class: 'interactive',
      role: isButton ? 'button' : 'input',
      box: { x: 260, y, width, height: 30 },
    });
  }
  return examplesOf(pixels, { family: `drawn ${seed % 4}`, items });
}
