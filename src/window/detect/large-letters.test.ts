import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type Color, flat, paint } from '../../test-kit/window/pictures.ts';
import { colourComponents } from './components.ts';
import { largeLetters } from './large-letters.ts';

const test = suite();
const INK: Color = [20, 20, 20];
/** Rectangles of letters 60 pixels high with strokes of 12. */
const LETTERS: Readonly<Record<string, readonly (readonly [x: number, y: number, w: number, h: number])[]>> =
  {
    '7': [
      [0, 0, 40, 12],
      [28, 0, 12, 60],
    ],
    '4': [
      [0, 0, 12, 40],
      [0, 28, 40, 12],
      [28, 0, 12, 60],
    ],
    L: [
      [0, 0, 12, 60],
      [0, 48, 36, 12],
    ],
    l: [[0, 0, 12, 60]],
    '-': [[0, 26, 24, 10]],
    '.': [[0, 48, 12, 12]],
    ground: [
      [0, 0, 80, 34],
      [46, 0, 34, 86],
    ],
    frame: [
      [0, 0, 40, 12],
      [0, 48, 40, 12],
      [0, 0, 12, 60],
      [28, 0, 12, 60],
    ],
  };

/** Boxes of the large letters of a line, by their left edges. */
function lettersOf(line: readonly (readonly [x: number, letter: string, ink?: Color])[]): number[] {
  const pixels = flat(420, 120, [255, 255, 255]);
  for (const [at, letter, ink = INK] of line)
    for (const [x, y, w, h] of LETTERS[letter] ?? []) paint(pixels, at + x, 30 + y, w, h, ink);
  const components = colourComponents(pixels, 2);
  return largeLetters(components)
    .map((l) => components.x0[l] as number)
    .sort((a, b) => a - b);
}

test('WIN-029 letters of thick strokes are found, and the minus, the point and the l between them', () => {
  const line = lettersOf([
    [20, '-'],
    [60, '7'],
    [108, '.'],
    [130, '4'],
    [180, 'l'],
    [205, 'L'],
  ]);
  assert.equal(line, [20, 60, 108, 130, 180, 205]);
});

test('frames beside each other are no letters, nor are bars', () => {
  assert.equal(
    lettersOf([
      [20, 'frame'],
      [70, 'frame'],
      [120, 'l'],
      [140, 'l'],
      [160, 'l'],
    ]),
    [],
  );
});

test('grounds of a bent shape are no letters', () => {
  assert.equal(
    lettersOf([
      [20, 'ground'],
      [120, 'ground'],
    ]),
    [],
  );
});

test('one letter alone, or letters of other colours and far apart, are no line of type', () => {
  assert.equal(lettersOf([[20, '7']]), []);
  assert.equal(
    lettersOf([
      [20, '7'],
      [70, '4', [200, 0, 0]],
    ]),
    [],
  );
  assert.equal(
    lettersOf([
      [20, '7'],
      [110, '4'],
    ]),
    [],
  );
});

test.run();
