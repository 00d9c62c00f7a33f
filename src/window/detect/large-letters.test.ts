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
    thin: [[0, 28, 24, 6]],
    button: [[0, 10, 100, 44]],
    bar: [[0, 24, 110, 14]],
    ring: [
      [14, 0, 32, 8],
      [14, 52, 32, 8],
      [0, 14, 8, 32],
      [52, 14, 8, 32],
      [6, 6, 10, 10],
      [44, 6, 10, 10],
      [6, 44, 10, 10],
      [44, 44, 10, 10],
    ],
    value: [[24, 22, 12, 16]],
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

test('WIN-029 a point and a minus are as wide as they are: the digit behind them is of the type all the same', () => {
  const line = lettersOf([
    [20, '7'],
    [104, '.'],
    [158, '4'],
    [204, 'L'],
    [284, 'thin'],
    [340, '7'],
  ]);
  assert.equal(line, [20, 104, 158, 204, 284, 340]);
});

test('WIN-029 a button and a bar beside large type in its colour are no letters', () => {
  for (const thing of ['button', 'bar'])
    assert.equal(
      lettersOf([
        [20, '7'],
        [70, '4'],
        [125, thing],
      ]),
      [20, 70],
      thing,
    );
});

test('WIN-029 rings that hold a value are gauges', () => {
  const rings = [
    [20, 'ring'],
    [90, 'ring'],
  ] as const;
  assert.equal(lettersOf(rings), [20, 90], 'without a value they may be letters');
  assert.equal(lettersOf([...rings, [20, 'value', [200, 0, 0]], [90, 'value', [200, 0, 0]]]), []);
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
