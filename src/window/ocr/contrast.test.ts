import * as assert from 'uvu/assert';
import { gaussian, seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Contrast, contrastOf } from './contrast.ts';
import { atomsOf } from './glyph/atoms.ts';

const test = suite('ink and its parts');

test('WIN-029 white letters on a noisy ground are the ink, though no colour is as frequent as their white', () => {
  const random = seededRandom(3);
  const [width, height] = [60, 30];
  const isInk = (x: number, y: number) => x >= 20 && x < 40 && y >= 8 && y < 22;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      [46, 125, 50].forEach((ground, c) => {
        const value = (isInk(x, y) ? 262 : ground) + 6 * gaussian(random);
        data[(y * width + x) * 3 + c] = Math.max(0, Math.min(255, Math.round(value)));
      });
  const contrast = contrastOf({ width, height, data }, { x0: 0, y0: 0, x1: width, y1: height });
  assert.ok(contrast);
  const at = (x: number, y: number) => contrast?.data[y * width + x] ?? 0;
  assert.ok(at(30, 15) > 230, `ink ${at(30, 15)}`);
  assert.ok(at(5, 15) < 40, `ground ${at(5, 15)}`);
});

test('WIN-029 two letters that softer ink than theirs holds together are parted there, and a stroke is not', () => {
  const [width, height] = [40, 34];
  const drawn = (joint: number): Contrast => {
    const data = new Uint8Array(width * height);
    for (let y = 2; y < 32; y++)
      for (let x = 5; x < 19; x++)
        data[y * width + x] =
          x >= 10 && x < 12 ? (y > 12 && y < 16 ? joint : 0) : y > 12 && y < 16 ? 230 : x > 11 ? 230 : 0;
    return { width, height, data };
  };
  assert.is(atomsOf(drawn(110)).atoms.length, 2);
  assert.is(atomsOf(drawn(225)).atoms.length, 1);
});

test.run();
