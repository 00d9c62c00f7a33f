import * as assert from 'uvu/assert';
import { suite } from '../../lib/testing/suite.ts';
import { drawn } from '../compare/benchmark/judge.ts';
import type { Screen } from '../compare/benchmark/screen.ts';
import type { Pixels } from '../image/pixels.ts';
import { flat } from '../testing/pictures.ts';
import { type Contrast, contrastOf } from './contrast.ts';
import { textCrop } from './crop.ts';
import { eraseFrames, eraseUnderline, STROKE } from './frames.ts';
import { TextReader } from './text-reader.ts';
import { wholeLetters } from './whole-letters.ts';

const test = suite('reading text');
const SLOW = { timeoutMs: 120_000 };

const WORDS = ['Pressure 12.5 mbar', 'Open the valve', 'Serial number 4711'];
const screen = (ink: string, ground: string): Screen => ({
  width: 400,
  height: 200,
  theme: { ground, panel: ground, ink, accent: '#3366cc', line: ground },
  fontSize: 14,
  controls: WORDS.map((text, index) => ({
    kind: 'label',
    x: 20,
    y: 50 + index * 40,
    width: 160,
    height: 20,
    text,
  })),
  caret: undefined,
  dialog: undefined,
});
const boxes = WORDS.map((_, index) => ({ x0: 15, y0: 50 + index * 40, x1: 200, y1: 72 + index * 40 }));

test(
  'words are read offline, dark on light and light on dark, a second time from memory, and none after time is up',
  async () => {
    const reader = new TextReader();
    const { fetch } = globalThis;
    globalThis.fetch = () => Promise.reject(new Error('the network was asked'));
    try {
      for (const [ink, ground] of [
        ['#111111', '#ffffff'],
        ['#eeeeee', '#1e2430'],
      ] as const) {
        const picture = await drawn(screen(ink, ground));
        assert.equal((await reader.read(picture, boxes, 'en'))?.texts, WORDS);
        assert.equal((await reader.read(picture, boxes, 'en'))?.texts, WORDS);
        assert.equal(await reader.read(picture, boxes, 'en', () => true), {
          texts: [null, null, null],
          unread: 3,
        });
      }
      assert.equal(
        (await reader.read(flat(60, 30, [255, 255, 255]), [{ x0: 5, y0: 5, x1: 50, y1: 20 }], 'en'))?.texts,
        [null],
      );
    } finally {
      globalThis.fetch = fetch;
      await reader.close();
    }
  },
  SLOW,
);

/** Ink on a ground, given as rows of signs; `#` is ink. */
function sketch(rows: readonly string[], ink: number, ground: number): Pixels {
  const width = rows[0]?.length ?? 0;
  const picture = flat(width, rows.length, [ground, ground, ground]);
  rows.forEach((row, y) => {
    [...row].forEach((sign, x) => {
      if (sign === '#') picture.data.fill(ink, (y * width + x) * 3, (y * width + x) * 3 + 3);
    });
  });
  return picture;
}

const all = ({ width, height }: Pixels) => ({ x0: 0, y0: 0, x1: width, y1: height });
const rowsOf = ({ width, height, data }: Contrast) =>
  Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => ((data[y * width + x] as number) >= STROKE ? '#' : '.')).join(''),
  );
const contrastIn = (picture: Pixels): Contrast => {
  const contrast = contrastOf(picture, all(picture));
  if (!contrast) throw new Error('no contrast');
  return contrast;
};

test('ink is dark on a light ground and light on a dark one; one colour has none, and no crop', () => {
  const rows = ['........', '..##.#..', '..#..#..', '........'];
  for (const [ink, ground] of [
    [0, 255],
    [200, 40],
    [90, 60],
  ] as const)
    assert.equal(rowsOf(contrastIn(sketch(rows, ink, ground))), rows);
  assert.is(contrastOf(flat(20, 10, [10, 10, 60]), { x0: 0, y0: 0, x1: 20, y1: 10 }), undefined);
  assert.is(textCrop(flat(20, 10, [10, 10, 60]), { x0: 0, y0: 0, x1: 20, y1: 10 }), undefined);
});

test('the frame of a control is erased and its letters stay', () => {
  const framed = contrastIn(
    sketch(
      [
        '############',
        '#..........#',
        '#..........#',
        '#...#..#...#',
        '#...#..#...#',
        '#..........#',
        '#..........#',
        '############',
      ],
      0,
      255,
    ),
  );
  eraseFrames(framed);
  assert.equal(rowsOf(framed).join('').replaceAll('.', ''), '####');
});

test('an underline is erased with the strokes through it left; the bar of a 4 and the foot of an L stay', () => {
  const letters = ['#..#..##...#......#..', '#..#..##...#......#..'];
  const line = { x0: 0, y0: 0, x1: 21, y1: 10 };
  const text = [...letters, ...letters, ...letters, letters[0] ?? '', '..................#..'];
  const underlined = contrastIn(sketch([...text, '#####################', '..................#..'], 0, 255));
  eraseUnderline(underlined, line);
  assert.is(rowsOf(underlined)[8], '..................#..');
  const four = ['#...#', '#...#', '#...#', '#...#', '#...#', '#...#', '#...#', '#####', '....#', '....#'];
  const fours = contrastIn(
    sketch(
      four.map((row) => `${row}.${row}.${row}.${row}`),
      0,
      255,
    ),
  );
  const before = rowsOf(fours);
  eraseUnderline(fours, { ...line, x1: 23 });
  assert.equal(rowsOf(fours), before);
});

test('a box that ends in the middle of a number is widened to its end, and not to the next word', () => {
  const row = '..###.###.###.....###...';
  const picture = sketch(
    Array.from({ length: 12 }, (_, y) => (y > 0 && y < 11 ? row : '.'.repeat(row.length))),
    0,
    255,
  );
  assert.equal(wholeLetters(picture, { x0: 1, y0: 0, x1: 9, y1: 12 }), { x0: 1, y0: 0, x1: 13, y1: 12 });
  assert.equal(wholeLetters(picture, { x0: 6, y0: 0, x1: 14, y1: 12 }), { x0: 2, y0: 0, x1: 14, y1: 12 });
});

test.run();
