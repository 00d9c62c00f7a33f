import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { flat, paint } from '../../test-kit/window/pictures.ts';
import { frame, writeText } from '../../test-kit/window/write-text.ts';
import type { Pixels } from '../image/pixels.ts';
import { detect } from './detect.ts';
import { reduced, reductionOf } from './reduce.ts';

const test = suite('large images');

/** Every pixel as a square of `factor` pixels a side. */
function enlarged({ width, height, data }: Pixels, factor: number): Pixels {
  const large = new Uint8Array(width * height * factor * factor * 3);
  for (let y = 0, out = 0; y < height * factor; y++)
    for (let x = 0; x < width * factor; x++, out += 3) {
      const i = (Math.floor(y / factor) * width + Math.floor(x / factor)) * 3;
      large.set(data.subarray(i, i + 3), out);
    }
  return { width: width * factor, height: height * factor, data: large };
}

function dialog(width: number, height: number): Pixels {
  const pixels = flat(width, height, [240, 240, 242]);
  paint(pixels, 80, 60, 200, 40, [255, 255, 255]);
  frame(pixels, 80, 60, 200, 40, [120, 120, 130]);
  writeText(pixels, 90, 72, '1240', [30, 30, 34]);
  writeText(pixels, 80, 140, 'PRESSURE IN THE MASK', [30, 30, 34]);
  return pixels;
}

test('a screen is looked at as it is, one of more than 12 megapixels in a half, a third', () => {
  const sized = (width: number, height: number) => reductionOf({ width, height, data: new Uint8Array() });
  assert.equal([sized(1280, 800), sized(3840, 2160), sized(4000, 3000)], [1, 1, 1]);
  assert.equal([sized(4001, 3000), sized(7680, 4320), sized(8000, 6250)], [2, 2, 3]);
});

test('a square of pixels becomes its mean', () => {
  const pixels = {
    width: 3,
    height: 2,
    data: Uint8Array.of(0, 10, 20, 4, 10, 22, 9, 9, 9, 0, 10, 20, 4, 10, 22, 9, 9, 9),
  };
  assert.equal(reduced(pixels, 2), { width: 1, height: 1, data: Uint8Array.of(2, 10, 21) });
  assert.equal(reduced(enlarged(dialog(320, 200), 3), 3), dialog(320, 200));
});

test(
  'WIN-006 a large image has the elements of the smaller one, in its own pixels',
  () => {
    const smaller = dialog(2560, 1600);
    const found = detect(smaller);
    assert.ok(found.length >= 2);
    const doubled = found.map(({ box: { x0, y0, x1, y1 }, ...rest }) => ({
      ...rest,
      box: { x0: 2 * x0, y0: 2 * y0, x1: 2 * x1, y1: 2 * y1 },
    }));
    assert.equal(detect(enlarged(smaller, 2)), doubled);
  },
  { timeoutMs: 120_000 },
);

test.run();
