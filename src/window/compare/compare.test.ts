import * as assert from 'uvu/assert';
import { judgeEdits, judgeHarmless } from '../../lab/compare-benchmark/judge.ts';
import { suite } from '../../test-kit/suite.ts';
import { flat, paint } from '../../test-kit/window/pictures.ts';
import { fingerprintOf } from '../fingerprint/fingerprint.ts';
import type { Pixels } from '../image/pixels.ts';
import { overlap } from './box.ts';
import { compareFingerprints } from './compare.ts';

const test = suite('compare');

const compared = (before: Pixels, after: Pixels) =>
  compareFingerprints(fingerprintOf(before), fingerprintOf(after), { before, after });
const copy = (pixels: Pixels): Pixels => ({ ...pixels, data: pixels.data.slice() });

/** A screen of full HD with some structure. */
function screen(): Pixels {
  const pixels = flat(1920, 1080, [240, 240, 242]);
  for (let row = 0; row < 12; row++) paint(pixels, 60, 80 + row * 70, 300 + row * 90, 30, [30, 90, 200]);
  return pixels;
}

test('WIN-009 the same image matches, and nothing has changed', () => {
  const { match, changed, similarity } = compared(screen(), screen());
  assert.equal([match, changed, similarity.tiles_changed, similarity.unchanged_share], [true, [], 0, 1]);
});

test('WIN-009 WIN-010 five pixels by eight on a full-HD screen are a change, with their own box', () => {
  const after = paint(screen(), 1500, 1000, 5, 8, [20, 20, 20]);
  const { match, changed, similarity } = compared(screen(), after);
  assert.is(match, false);
  assert.equal(changed, [{ x0: 1500, y0: 1000, x1: 1505, y1: 1008 }]);
  assert.ok(similarity.phash_distance <= 2, 'a hash alone would not have seen it');
});

test('WIN-010 without the former image the box is that of the blocks: it covers the change and little else', () => {
  const after = paint(screen(), 1500, 1000, 50, 30, [20, 20, 20]);
  const [box, ...more] = compareFingerprints(fingerprintOf(screen()), fingerprintOf(after)).changed;
  assert.equal(more, []);
  assert.ok(box && overlap(box, { x0: 1500, y0: 1000, x1: 1550, y1: 1030 }) > 0.75);
});

test('WIN-010 two changes far apart are two regions, letters of one word are one', () => {
  const after = screen();
  paint(after, 100, 20, 6, 10, [0, 0, 0]);
  paint(after, 110, 20, 6, 10, [0, 0, 0]);
  paint(after, 1700, 900, 40, 20, [0, 0, 0]);
  assert.equal(compared(screen(), after).changed, [
    { x0: 100, y0: 20, x1: 116, y1: 30 },
    { x0: 1700, y0: 900, x1: 1740, y1: 920 },
  ]);
});

test('WIN-009 another size and another flat colour do not match; a flat colour that is off by one does', () => {
  assert.is(compared(screen(), flat(1920, 1079, [1, 2, 3])).match, false);
  assert.is(compared(flat(400, 300, [255, 255, 255]), flat(400, 300, [250, 250, 250])).match, false);
  assert.is(compared(flat(400, 300, [255, 0, 0]), flat(400, 300, [0, 130, 0])).match, false);
  assert.is(compared(flat(400, 300, [255, 0, 0]), flat(400, 300, [254, 1, 0])).match, true);
});

test('a pale highlight of a large area is seen, single noisy pixels are not', () => {
  const highlighted = paint(screen(), 1000, 600, 200, 24, [232, 238, 242]);
  assert.is(compared(screen(), highlighted).match, false);
  const noisy = copy(screen());
  for (const x of [13, 400, 1222, 1800]) paint(noisy, x, x % 1000, 1, 1, [0, 0, 0]);
  assert.is(compared(screen(), noisy).match, true);
});

test('a change of colour alone is seen where the light stays the same', () => {
  const green = [0, 147, 0] as const;
  const blue = [54, 106, 72] as const;
  assert.is(
    compared(paint(screen(), 1600, 100, 24, 24, green), paint(screen(), 1600, 100, 24, 24, blue)).match,
    false,
  );
});

test(
  'WIN-009 of 48 drawn changes and 40 harmless copies all are judged right, and 95 % of the regions lie where the change is',
  async () => {
    const edits = await judgeEdits(48, 5000);
    const copies = await judgeHarmless(40, 5000);
    const wrong = [...edits, ...copies].filter(({ judged, right }) => right < judged);
    assert.equal(wrong, []);
    const located = edits.reduce((sum, row) => sum + row.located, 0);
    assert.ok(located >= 0.95 * 48, `${located} of 48`);
  },
  { timeoutMs: 300_000 },
);

test.run();
