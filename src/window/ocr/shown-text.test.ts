import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { type Glyph, lineOf, textOf } from './glyphs.ts';
import { byShape } from './look-alikes.ts';
import { isColon, isCross, stopsAndCommas, withLostMarks } from './marks.ts';
import { operatorOf, raisedDigits } from './operators.ts';
import { piecesOf } from './pieces.ts';
import { placed } from './placed.ts';
import { shownText } from './shown-text.ts';
import { uprightLetters } from './upright.ts';
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

test('a quote that was read at the feet of the letters is a full stop, and one beside it stays', () => {
  const word = [small('h', 26, 40), small('a', 44, 56)];
  const stop: Glyph = { text: '.', box: box(15, 19, 26, 30) };
  assert.is(marked([{ ...stop, text: '‘' }, ...word], []), '.ha');
  assert.is(marked([{ text: '*', box: box(2, 13, 10, 20) }, stop, ...word], []), '*.ha');
});

test('a comma hangs below the feet of the letters, and a full stop does not', () => {
  const read = (sign: string, mark: Box, more: readonly Glyph[] = []) => {
    const glyphs = [capital('5', 0, 12), { text: sign, box: mark }, ...more, capital('6', 30, 42)];
    const line = lineOf(glyphs);
    if (!line) throw new Error('no line');
    return textOf(
      stopsAndCommas(
        glyphs,
        glyphs.flatMap((one) => one.box ?? []),
        line,
      ),
    );
  };
  assert.is(read('.', box(16, 20, 27, 33)), '5,6');
  assert.is(read(',', box(16, 20, 26, 30)), '5.6');
  assert.is(read(',', box(16, 20, 27, 33)), '5,6');
  assert.is(read('.', box(16, 20, 27, 33), [{ text: '.', box: box(22, 26, 26, 30) }]), '5..6');
});

test('an upright stroke without a gap is no i: its top tells I from l, and before a small letter it is I', () => {
  const upright = (glyphs: readonly Glyph[], at: Box, more: readonly Box[] = []) => {
    const line = lineOf(glyphs);
    if (!line) throw new Error('no line');
    return textOf(uprightLetters(glyphs, inked([at, ...more]), line));
  };
  const [stroke, n] = [box(44, 48), small('n', 52, 64)];
  const letters = [capital('A', 0, 12), capital('E', 14, 26), small('e', 30, 40)];
  assert.is(upright([...letters, { text: 'i', box: stroke }, n], stroke), 'AEeIn');
  assert.is(upright([...letters, { text: '[', box: stroke }, n], stroke), 'AEeIn');
  assert.is(upright([...letters, { text: 'i', box: stroke }], stroke), 'AEei');
  const closed = [...letters, { text: '[', box: stroke }, n, { text: ']', box: box(70, 76) }];
  assert.is(upright(closed, stroke), 'AEe[n]');
  const dotted = [box(44, 48, 10, 13), box(44, 48, 16, 30)] as const;
  assert.is(upright([...letters, { text: 'i', box: stroke }, n], dotted[0], [dotted[1]]), 'AEein');
  // Small letters that are higher than capitals.
  const high = [capital('A', 0, 12), { text: 'd', box: box(14, 26, 8, 30) }, small('e', 30, 40)];
  assert.is(upright([...high, { text: 'l', box: stroke }, n], stroke), 'AdeIn');
  const tall = box(44, 48, 8, 30);
  assert.is(upright([...high, { text: 'I', box: tall }, n], tall), 'Adeln');
});

test('letters get the places of their ink when a word has as many columns as letters, each where it was read', () => {
  const ink = inked([box(10, 20), box(24, 34, 15), box(38, 48), box(60, 70)]);
  const boxes = (glyphs: readonly Glyph[]) => placed(glyphs, ink, piecesOf(ink)).map((one) => one.box);
  const word = [capital('U', 8, 18), capital('s', 20, 40), capital('R', 36, 50)];
  assert.equal(boxes([...word, blank, capital('L', 58, 75)]), [
    box(10, 20),
    box(24, 34, 15),
    box(38, 48),
    undefined,
    box(60, 70),
  ]);
  const fewer = [capital('U', 8, 18), capital('s', 20, 50)];
  assert.equal(boxes(fewer), [box(8, 18), box(20, 50)]);
  const joined = [capital('L', 58, 64), capital('n', 64, 75)];
  assert.equal(boxes(joined), [box(58, 64), box(64, 75)]);
  const shifted = [capital('U', 8, 34), capital('R', 36, 40), capital('n', 42, 50)];
  assert.equal(boxes(shifted), [box(8, 34), box(36, 40), box(42, 50)]);
});

test('÷ and ± alone are told from - and + by their ink, and a raised digit behind a letter from one on the line', () => {
  const operator = (text: string, boxes: readonly Box[]) =>
    operatorOf(text, piecesOf(inked(boxes)), inked(boxes));
  const [bar, dots] = [box(10, 36, 18, 22), [box(21, 25, 10, 14), box(21, 25, 26, 30)]];
  assert.is(operator('+', [bar, ...dots]), '÷');
  assert.is(operator('-', [bar]), undefined);
  const plus = [bar, box(21, 25, 8, 32)];
  assert.is(operator('+', plus), undefined);
  assert.is(operator('+', [...plus, box(10, 36, 34, 38)]), '±');
  assert.is(operator('A', [bar, ...dots]), undefined);
  const raised = (before: string, y1: number) => {
    const glyphs = [capital('H', 0, 12), small(before, 20, 32), { text: '2', box: box(34, 42, 8, y1) }];
    const line = lineOf(glyphs);
    if (!line) throw new Error('no line');
    return textOf(raisedDigits(glyphs, line));
  };
  assert.is(raised('x', 20), 'Hx²');
  assert.is(raised('x', 30), 'Hx2');
  assert.is(raised('5', 20), 'H52');
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
    ['DPl|discard', 'DPI|discard'],
    ['XML Ul definition', 'XML UI definition'],
    ['Ul. Nowa', 'Ul. Nowa'],
    ['Ulm', 'Ulm'],
  ] as const)
    assert.is(byNeighbours(read), text);
});

test.run();
