import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { drawnSvg } from '../../test-kit/window/pictures.ts';
import { asSeen } from './as-seen.ts';
import { CLASSES } from './glyph/classes.ts';
import type { SeenLine } from './glyph/read-line.ts';
import { isLikeNumber } from './read-text.ts';
import { TextReader } from './text-reader.ts';

const test = suite('texts as their letters show them');

/** A line of letters, each as sure as said. */
const seen = (signs: string, sure = 0.95): SeenLine => ({
  letters: [...signs].map((sign, i) => {
    const found = new Float32Array(CLASSES.length);
    found[CLASSES.indexOf(sign)] = sure;
    return { found, box: { x0: 20 * i, y0: 8, x1: 20 * i + 16, y1: 32 } };
  }),
  measure: { baseline: 32, height: 24 },
});

test('WIN-029 capitals of one shape with small letters are those that the letters are as high as', () => {
  assert.is(asSeen('williams Span', seen('WilliamsSpan')), 'Williams Span');
  assert.is(asSeen('SUpply', seen('Supply')), 'Supply');
  assert.is(asSeen('will', seen('Wi//')), 'Will');
  assert.is(asSeen('will', seen('Will', 0.8)), 'will', 'not sure');
  assert.is(asSeen('will', seen('Wills')), 'will', 'other letters');
  assert.is(asSeen('Open', seen('0peN')), 'Open', 'of another shape');
});

test('three full stops at the end of a text are three', () => {
  assert.is(asSeen('Files..', seen('Files...')), 'Files...');
  assert.is(asSeen('Files.', seen('Files.')), 'Files.');
});

test('WIN-034 a percent sign with a word behind it is no unit', () => {
  assert.not(isLikeNumber('100 % done'));
  assert.ok(isLikeNumber('100 %'));
  assert.ok(isLikeNumber('15,41%'));
});

test(
  'WIN-029 OK in type whose O is as narrow as a naught is no temperature',
  async () => {
    const reader = new TextReader();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="160"><rect width="300" height="160" fill="#fff"/><g font-family="DejaVu Sans Mono" fill="#222">${[14, 18, 22].map((size, i) => `<text x="20" y="${40 + i * 40}" font-size="${size}">OK</text>`).join('')}</g></svg>`;
    const boxes = [0, 1, 2].map((i) => ({ x0: 12, y0: 18 + i * 40, x1: 56, y1: 46 + i * 40 }));
    const read = await reader.read(await drawnSvg(svg), boxes, 'en');
    await reader.close();
    assert.ok(
      read?.texts.every((text) => text === null || text === 'OK'),
      read?.texts.join(),
    );
  },
  { timeoutMs: 120_000 },
);

test.run();
