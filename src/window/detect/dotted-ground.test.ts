import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type Color, flat, paint } from '../../test-kit/window/pictures.ts';
import { writeText } from '../../test-kit/window/write-text.ts';
import type { Pixels } from '../image/pixels.ts';
import { sceneOf } from './candidates.ts';

const test = suite();

const WHITE: Color = [255, 255, 255];
const INK: Color = [20, 20, 20];

/** A ground of dots of one pixel. */
const dotted = (pitch: number): Pixels => {
  const pixels = flat(600, 400, WHITE);
  for (let y = 13; y < 400; y += pitch)
    for (let x = 12; x < 600; x += pitch) paint(pixels, Math.round(x), Math.round(y), 1, 1, INK);
  return pixels;
};

test('WIN-031 the dots of a dotted ground join no row, and are no ink beside one', () => {
  for (const pitch of [8, 16.5, 22, 60]) {
    const pixels = dotted(pitch);
    paint(pixels, 90, 90, 220, 40, WHITE);
    const end = writeText(pixels, 100, 100, 'PRESSURE', INK);
    const roots = sceneOf(pixels).rows.filter(({ parent }) => parent < 0);
    assert.equal(
      roots.map(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1]),
      [[100, 100, end, 114]],
      `dots ${pitch} pixels apart`,
    );
  }
});

test('WIN-029 the points of a table of numbers stay, although they stand in lines and columns, also of letters that are spaced', () => {
  for (const spacing of [2, 5, 7]) {
    const pixels = flat(700, 400, WHITE);
    let cells = 0;
    for (let y = 20; y < 370; y += 24)
      for (let x = 20; x < 640; x += 60, cells++) {
        const end = writeText(pixels, x, y, 'O', INK);
        paint(pixels, end + spacing, y + 12, 2, 2, INK);
        writeText(pixels, end + 2 * spacing + 2, y, 'L', INK);
      }
    const { ink } = sceneOf(pixels);
    const points = Array.from({ length: ink.count }, (_, l) => l).filter((l) => ink.area[l] === 4);
    assert.is(points.length, cells, `${spacing} pixels`);
  }
});

test('WIN-031 the soft corners of tiles that stand in lines and columns are no ground', () => {
  const pixels = flat(600, 400, WHITE);
  let corners = 0;
  for (let y = 20; y < 360; y += 40)
    for (let x = 20; x < 560; x += 50) {
      paint(pixels, x, y, 42, 32, [200, 205, 210]);
      for (const [cx, cy] of [
        [x, y],
        [x + 40, y],
        [x, y + 30],
        [x + 40, y + 30],
      ] as const) {
        paint(pixels, cx, cy, 2, 2, [225, 228, 230]);
        corners++;
      }
    }
  assert.is(sceneOf(pixels).ink.count, corners);
});

test('a few dots, and those of leaders, are no ground', () => {
  const few = flat(300, 200, WHITE);
  for (let y = 20; y < 110; y += 20) for (let x = 20; x < 130; x += 20) paint(few, x, y, 2, 2, INK);
  assert.is(sceneOf(few).ink.count, 30);
  const leaders = flat(600, 200, WHITE);
  for (let y = 20; y < 180; y += 20) for (let x = 20; x < 580; x += 5) paint(leaders, x, y, 2, 2, INK);
  assert.is(sceneOf(leaders).ink.count, 8 * 112);
});

test.run();
