import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type Color, flat, paint } from '../../test-kit/window/pictures.ts';
import { frame, GLYPH_HEIGHT, writeText } from '../../test-kit/window/write-text.ts';
import { sceneOf } from './candidates.ts';

const test = suite();

const WHITE: Color = [255, 255, 255];
const INK: Color = [0, 0, 160];

test('an underline is taken from the letters above it', () => {
  const pixels = flat(300, 60, WHITE);
  const end = writeText(pixels, 20, 20, 'VALVE', INK);
  const plain = sceneOf(pixels).ink.count;
  paint(pixels, 20, 20 + GLYPH_HEIGHT * 2 + 1, end - 20, 1, INK);
  const { ink, underlines } = sceneOf(pixels);
  assert.equal(underlines, [{ x0: 20, x1: end, y: 35 }]);
  assert.is(ink.count, plain);
});

test('an underline that touches the letters is one too', () => {
  const pixels = flat(300, 60, WHITE);
  const end = writeText(pixels, 20, 20, 'VALVE', INK);
  paint(pixels, 20, 20 + GLYPH_HEIGHT * 2, end - 20, 1, INK);
  assert.is(sceneOf(pixels).underlines.length, 1);
});

test('two links with a gap between them have two underlines', () => {
  const pixels = flat(300, 60, WHITE);
  const first = writeText(pixels, 20, 20, 'PUMP', INK);
  const second = writeText(pixels, first + 14, 20, 'LUNG', INK);
  paint(pixels, 20, 35, first - 20, 1, INK);
  paint(pixels, first + 14, 35, second - first - 14, 1, INK);
  assert.is(sceneOf(pixels).underlines.length, 2);
});

test('the border of a field below its text is no underline', () => {
  const pixels = flat(300, 80, WHITE);
  frame(pixels, 10, 10, 200, 40, INK);
  writeText(pixels, 20, 22, 'VALVE', INK);
  assert.equal(sceneOf(pixels).underlines, []);
});

test('the bars of letters are no underlines', () => {
  const pixels = flat(400, 60, WHITE);
  writeText(pixels, 20, 20, 'LEFT ZEBRA', INK, 1);
  writeText(pixels, 120, 20, 'LEFT ZEBRA', INK, 2);
  assert.equal(sceneOf(pixels).underlines, []);
});

test.run();
