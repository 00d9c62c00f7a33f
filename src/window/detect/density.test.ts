import * as assert from 'uvu/assert';
import { drawn } from '../../lab/compare-benchmark/judge.ts';
import { makeScreen } from '../../lab/compare-benchmark/screen.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { flat } from '../../test-kit/window/pictures.ts';
import type { Pixels } from '../image/pixels.ts';
import { sceneOf } from './candidates.ts';
import { densityOf } from './density.ts';
import { detect } from './detect.ts';
import { overlapOf } from './element.ts';
import { usualScene } from './usual-scene.ts';

const test = suite('density of an image');

/** Each pixel as a square of `by` pixels a side. */
function enlarged({ width, height, data }: Pixels, by: number): Pixels {
  const large = new Uint8Array(width * by * height * by * 3);
  for (let y = 0; y < height * by; y++)
    for (let x = 0; x < width * by; x++) {
      const from = (Math.floor(y / by) * width + Math.floor(x / by)) * 3;
      large.set(data.subarray(from, from + 3), (y * width * by + x) * 3);
    }
  return { width: width * by, height: height * by, data: large };
}

test('WIN-028 a screen at twice and three times the pixels has the same elements in the same places', async () => {
  const screen = await drawn(makeScreen(seededRandom(3)));
  const usual = detect(screen);
  assert.ok(usual.length >= 10, String(usual.length));
  for (const by of [2, 3]) {
    const dense = detect(enlarged(screen, by));
    const found = usual.filter(({ box, role }) => {
      const place = { x0: box.x0 * by, y0: box.y0 * by, x1: box.x1 * by, y1: box.y1 * by };
      return dense.some((other) => other.role === role && overlapOf(other.box, place) >= 0.6);
    });
    assert.ok(found.length >= 0.9 * usual.length, `${by} times: ${found.length} of ${usual.length}`);
    assert.ok(dense.length <= 1.1 * usual.length, `${by} times: ${dense.length}, not ${usual.length}`);
  }
});

test('WIN-028 a screen with letters of any usual size is looked at in its own pixels when each is shown as two or three', async () => {
  for (const seed of [3, 4, 5]) {
    const screen = await drawn(makeScreen(seededRandom(seed)));
    for (const by of [1, 2, 3]) assert.is(usualScene(enlarged(screen, by)).factor, by, `screen ${seed}`);
  }
});

test('WIN-028 the density of usual screens is 1, also without letters; boxes of dense ones end within the image', async () => {
  assert.is(densityOf(sceneOf(flat(200, 100, [255, 255, 255]))), 1);
  const screen = await drawn(makeScreen(seededRandom(3)));
  assert.is(usualScene(screen).factor, 1);
  const dense = enlarged(screen, 2);
  assert.ok(usualScene(dense).factor > 1);
  for (const { box } of detect(dense))
    assert.ok(box.x0 >= 0 && box.y0 >= 0 && box.x1 <= dense.width && box.y1 <= dense.height);
});

test.run();
