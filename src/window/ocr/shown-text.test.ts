import * as assert from 'uvu/assert';
import { suite } from '../../lib/testing/suite.ts';
import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { type Glyph, lineOf, textOf } from './glyphs.ts';
import { byShape } from './look-alikes.ts';
import { isColon, isCross, withLostMarks } from './marks.ts';
import { shownText } from './shown-text.ts';
import { byNeighbours } from './wording.ts';

const test = suite('what the recognizer overlooks');

/** Capitals from row 10 to row 30, small letters from 15.4, tails to 36. */
const box = (x0: number, x1: number, y0 = 10, y1 = 30): Box => ({ x0, y0, x1, y1 });
const small = (text: string, x0: number, x1: number): Glyph => ({ text, box: box(x0, x1, 15, 30) });
const capital = (text: string, x0: number, x1: number): Glyph => ({ text, box: box(x0, x1) });
const blank: Glyph = { text: ' ' };

function marked(glyphs: readonly Glyph[], marks: readonly Box[]): string {
  const line = lineOf(glyphs);
  if (!line) throw new Error('no line');
  const letters = glyphs.flatMap(({ box: own }) => (own ? [own] : []));
  return textOf(withLostMarks(glyphs, [...letters, ...marks], line));
}

test('a full stop, a colon, a hyphen and underscores that were lost are put back where they stand', () => {
  const word = [capital('H', 20, 34), small('a', 40, 52), capital('3', 60, 72)];
  assert.is(marked(word, []), 'Ha3');
  assert.is(marked(word, [box(12, 16, 26, 30)]), '.Ha3');
  assert.is(marked(word, [box(54, 58, 26, 30)]), 'Ha.3');
  assert.is(marked(word, [box(54, 58, 26, 30), box(54, 58, 15, 19)]), 'Ha:3');
  assert.is(marked(word, [box(10, 17, 20, 23)]), '-Ha3');
  assert.is(marked(word, [box(80, 110, 33, 35)]), 'Ha3__');
  const words = [small('a', 0, 12), blank, small('e', 30, 42)];
  assert.is(marked(words, [box(14, 28, 33, 35)]), 'a_e');
});

test('a mark that was read is not put back once more, and a broken piece of a letter is none', () => {
  const stop: Glyph = { text: '.', box: box(54, 58, 26, 30) };
  const word = [small('a', 40, 52), stop, capital('3', 60, 72)];
  assert.is(marked(word, []), 'a.3');
  const read = [small('a', 0, 12), { text: '_', box: box(14, 44, 33, 35) }, small('e', 46, 58)];
  assert.is(marked(read, []), 'a__e');
  assert.is(marked([capital('N', 20, 34)], [box(34, 38, 26, 30)]), 'N');
});

/** Ink in all boxes. */
function inked(boxes: readonly Box[]): Contrast {
  const [width, height] = [120, 40];
  const data = new Uint8Array(width * height);
  for (const { x0, y0, x1, y1 } of boxes)
    for (let y = y0; y < y1; y++) data.fill(255, y * width + x0, y * width + x1);
  return { width, height, data };
}

function shaped(glyphs: readonly Glyph[], ink: readonly Box[] = []): string {
  const line = lineOf(glyphs);
  if (!line) throw new Error('no line');
  return textOf(byShape(glyphs, inked(ink), line));
}

test('the height of a letter tells its case at the beginning of a word, among capitals and at their end', () => {
  const n = small('n', 30, 42);
  assert.is(shaped([capital('o', 10, 26), n]), 'On');
  assert.is(shaped([small('o', 10, 26), n]), 'on');
  assert.is(shaped([capital('u', 10, 22), capital('s', 30, 42), capital('D', 50, 62)]), 'USD');
  assert.is(
    shaped([capital('R', 0, 10), capital('L', 14, 24), small('S', 26, 36), blank, small('n', 50, 60)]),
    'RLs n',
  );
  assert.is(shaped([n, capital('o', 50, 60)]), 'no');
  const touching = [capital('o', 10, 31), n];
  assert.is(shaped(touching), 'on');
});

test('a bar that hangs below the letters is no l, and a g on a stem is a q', () => {
  const letters = [capital('E', 0, 10), small('n', 30, 42)];
  assert.is(shaped([...letters, { text: 'l', box: box(50, 53, 9, 36) }]), 'En|');
  assert.is(shaped([...letters, { text: 'l', box: box(50, 53, 9, 30) }]), 'Enl');
  assert.is(shaped([...letters, { text: '1', box: box(50, 53, 9, 36) }]), 'En1');
  const tail: Glyph = { text: 'g', box: box(50, 62, 15, 36) };
  assert.is(shaped([...letters, tail], [box(59, 62, 15, 36)]), 'Enq');
  assert.is(shaped([...letters, tail], [box(59, 62, 15, 36), box(51, 62, 34, 36)]), 'Eng');
});

test('a blank that the crop does not show is none, and an underline does not close one that it shows', () => {
  const read = (gap: number, underline: readonly Box[] = []) => {
    const [left, right] = [box(10, 30), box(30 + gap, 50 + gap)];
    const { width, height, data } = inked([left, right, ...underline]);
    const picture = {
      width,
      height,
      data: new Uint8Array([...data].flatMap((ink) => [255 - ink, 255 - ink, 255 - ink])),
    };
    const word = (text: string, bbox: Box) => ({ bbox, symbols: [{ text, bbox }] });
    return shownText([word('B', left), word('T', right)], picture);
  };
  assert.is(read(2), 'BT');
  assert.is(read(9), 'B T');
  assert.is(read(9, [box(10, 59, 33, 35)]), 'B T');
});

test('two equal dots above each other are a colon; a sign as wide as high closes, an X is higher', () => {
  assert.ok(isColon([box(0, 4, 0, 4), box(0, 4, 10, 14)]));
  assert.not.ok(isColon([box(0, 4, 0, 4), box(0, 4, 10, 30)]));
  assert.not.ok(isColon([box(0, 4, 0, 4), box(8, 12, 10, 14)]));
  assert.not.ok(isColon([box(0, 4, 0, 4)]));
  assert.ok(isCross('X', [box(0, 20, 0, 20)]));
  assert.not.ok(isCross('X', [box(0, 17, 0, 20)]));
  assert.not.ok(isCross('K', [box(0, 20, 0, 20)]));
});

test('neighbours tell a letter from one that looks alike, and never change a digit', () => {
  for (const [read, text] of [
    ['lllustrations', 'Illustrations'],
    ['ltem 4', 'Item 4'],
    ['Ill. Results', 'III. Results'],
    ['All files', 'All files'],
    ['lNS', 'INS'],
    ['llama', 'llama'],
    ['0V', '0V'],
    ['lbs', 'lbs'],
    ['1l. Valve', '1l. Valve'],
    ['Il. Valve', 'II. Valve'],
    ['007', '007'],
    ['README . md', 'README.md'],
    ['25 *C', '25 °C'],
    ['a * b', 'a * b'],
  ] as const)
    assert.is(byNeighbours(read), text);
});

test.run();
