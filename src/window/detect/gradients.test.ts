import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type Color, flat, paint } from '../../test-kit/window/pictures.ts';
import { writeText } from '../../test-kit/window/write-text.ts';
import { sceneOf } from './candidates.ts';
import { colourComponents } from './components.ts';
import { flattenGradients } from './gradients.ts';

const test = suite();

const INK: Color = [250, 250, 250];

/** Rows that grow darker by a step each. */
function bar(
  pixels: ReturnType<typeof flat>,
  x: number,
  y: number,
  w: number,
  h: number,
  step: number,
): void {
  for (let i = 0; i < h; i++) paint(pixels, x, y + i, w, 1, [160 - i * step, 190 - i * step, 230 - i * step]);
}

test('a title bar that grows darker fast is one surface, and its title stands apart', () => {
  const pixels = flat(400, 100, [240, 240, 240]);
  bar(pixels, 20, 20, 360, 22, 5);
  const end = writeText(pixels, 150, 24, 'VALVES', INK);
  const { candidates } = sceneOf(pixels);
  const has = (kind: string, x0: number, y0: number, x1: number, y1: number) =>
    candidates.some((c) => c.kind === kind && c.x0 === x0 && c.y0 === y0 && c.x1 === x1 && c.y1 === y1);
  assert.ok(has('box', 20, 20, 380, 42), 'the bar');
  assert.ok(has('row', 150, 24, end, 38), 'the title');
});

test('the ground beside a gradient keeps its colour, also where the gradient meets it', () => {
  const pixels = flat(400, 100, [180, 180, 180]);
  for (let i = 0; i < 28; i++) paint(pixels, 0, 30 + i, 120, 1, [252 - i * 3, 252 - i * 3, 252 - i * 3]);
  const { colour } = colourComponents(pixels, 2);
  for (const [x, y] of [
    [200, 32],
    [300, 40],
    [300, 54],
    [200, 70],
  ] as const)
    assert.is(colour[y * 400 + x], 0xb4b4b4, `${x},${y}`);
  assert.is(colour[31 * 400 + 60], colour[50 * 400 + 60], 'the gradient has one colour');
});

test('short steps, as a bevel and a shadow have them, stay what they are', () => {
  const pixels = flat(200, 60, [240, 240, 240]);
  bar(pixels, 20, 20, 160, 6, 8);
  const before = Int32Array.from({ length: 200 * 60 }, (_, p) => {
    const [r, g, b] = pixels.data.subarray(p * 3, p * 3 + 3) as unknown as Color;
    return (r << 16) | (g << 8) | b;
  });
  const after = before.slice();
  flattenGradients(after, 200, 60);
  assert.equal(after, before);
});

test.run();
