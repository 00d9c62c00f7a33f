import * as assert from 'uvu/assert';
import { drawn } from '../../lab/compare-benchmark/judge.ts';
import type { Screen } from '../../lab/compare-benchmark/screen.ts';
import { suite } from '../../test-kit/suite.ts';
import { drawnSvg, flat } from '../../test-kit/window/pictures.ts';
import type { Box } from '../compare/box.ts';
import type { Pixels } from '../image/pixels.ts';
import { badgeOf } from './badge.ts';
import { type Contrast, contrastOf } from './contrast.ts';
import { textCrop } from './crop.ts';
import { eraseFrames, eraseUnderline } from './frames.ts';
import { FAINT, STROKE } from './pieces.ts';
import { isOneLetter } from './read-crop.ts';
import { eraseIcons } from './signs.ts';
import { keyOf, TextReader } from './text-reader.ts';
import { eraseLetterLines } from './underlined-letter.ts';
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

/** What is read in these boxes of a drawing. */
async function readDrawn(svg: string, boxes: readonly Box[]): Promise<(string | null)[] | undefined> {
  const pixels = await drawnSvg(svg);
  const reader = new TextReader();
  try {
    return (await reader.read(pixels, boxes, 'en'))?.texts;
  } finally {
    await reader.close();
  }
}

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
        assert.equal(await reader.read(picture, boxes, 'en', 0), {
          texts: [null, null, null],
          reasons: [undefined, undefined, undefined],
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

test(
  'a badge over an icon, a button with round corners and a colon alone are read',
  async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><rect width="300" height="60" fill="#fff"/>
      <rect x="12" y="22" width="20" height="15" fill="#d1d3e2"/><rect x="24" y="16" width="19" height="16" rx="5" fill="#e74a3b"/>
      <rect x="80.5" y="12.5" width="90" height="27" rx="5" fill="none" stroke="#999"/>
      <rect x="220" y="20" width="2" height="2" fill="#111"/><rect x="220" y="25" width="2" height="2" fill="#111"/>
      <g font-family="DejaVu Sans, sans-serif"><text x="29" y="28" font-size="12" font-weight="bold" fill="#fff">7</text>
      <text x="100" y="31" font-size="14" fill="#111">Sign in</text></g></svg>`;
    const texts = await readDrawn(svg, [
      { x0: 12, y0: 16, x1: 43, y1: 37 },
      { x0: 80, y0: 12, x1: 171, y1: 40 },
      { x0: 220, y0: 20, x1: 222, y1: 27 },
    ]);
    assert.equal(texts, ['7', 'Sign in', ':']);
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

test('WIN-029 what was read of a box is not given again where the same pixels may be a display, or in another language', () => {
  const picture = flat(60, 30, [255, 255, 255]);
  const [box, other] = [
    { x0: 5, y0: 5, x1: 50, y1: 20 },
    { x0: 6, y0: 5, x1: 51, y1: 20 },
  ];
  const key = keyOf(picture, box, 'eng', false);
  assert.is(keyOf(flat(60, 30, [255, 255, 255]), box, 'eng', false), key);
  for (const another of [
    keyOf(picture, box, 'eng', true),
    keyOf(picture, box, 'pol', false),
    keyOf(picture, other, 'eng', false),
  ])
    assert.is.not(another, key);
});

test(
  'WIN-029 a number that was read is looked at again when ink above its box has changed',
  async () => {
    const reader = new TextReader();
    // A stroke before the number that goes on above it is no sign; one that ends there may be.
    const read = async (top: number): Promise<string | null | undefined> => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="160"><rect width="300" height="160" fill="#fff"/><text x="80" y="110" font-family="DejaVu Sans" font-size="52" fill="#222">48.5</text><rect x="68" y="${top}" width="5" height="${100 - top}" fill="#999"/></svg>`;
      const found = await reader.read(await drawnSvg(svg), [{ x0: 80, y0: 70, x1: 222, y1: 112 }], 'en');
      return found?.texts[0];
    };
    try {
      assert.equal([await read(40), await read(64)], ['48.5', null]);
    } finally {
      await reader.close();
    }
  },
  SLOW,
);

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

test('a border that is interrupted by round corners is erased with them; the feet of letters are no border', () => {
  const line = (inside: string) => `..#${inside.padEnd(25, '.')}#..`;
  const rows = [
    '.'.repeat(31),
    '.'.repeat(31),
    `....${'#'.repeat(23)}....`,
    `...#${'.'.repeat(23)}#...`,
    ...Array.from({ length: 6 }, () => line('')),
    ...Array.from({ length: 6 }, () => line('......##..##..##')),
    ...Array.from({ length: 6 }, () => line('')),
    `...#${'.'.repeat(23)}#...`,
    `....${'#'.repeat(23)}....`,
    '.'.repeat(31),
    '.'.repeat(31),
  ];
  const framed = contrastIn(sketch(rows, 0, 255));
  eraseFrames(framed);
  assert.equal(
    rowsOf(framed).filter((row) => row.includes('#')),
    Array.from({ length: 6 }, () => '.........##..##..##............'),
  );
  const none = '.'.repeat(27);
  const feet = contrastIn(
    sketch(
      [
        none,
        none,
        ...Array.from({ length: 18 }, () => '...#...#..#...#..#...#..#..'),
        '..#####.#####.#####.#####..',
        none,
        none,
      ],
      0,
      255,
    ),
  );
  const before = rowsOf(feet);
  eraseFrames(feet);
  assert.equal(rowsOf(feet), before);
});

test('what a round border leaves in most corners of a box is erased; quotes, dots and a percent sign there stay', () => {
  const inked = (rows: readonly string[]) => {
    const framed = contrastIn(sketch(rows, 0, 255));
    eraseFrames(framed);
    return rowsOf(framed).join('').replaceAll('.', '').length;
  };
  const wide = 40;
  const page = (own: Readonly<Record<number, string>>) =>
    Array.from({ length: 26 }, (_, y) => {
      const letters = y >= 9 && y < 17 ? '..........##..##..##..##' : '';
      return (own[y] ?? letters).padEnd(wide, '.');
    });
  const ends = (left: string, right: string) => left.padEnd(wide - right.length, '.') + right;
  const letters = 8 * 8;
  const corners = {
    1: ends('...##', '##...'),
    2: ends('..#', '#..'),
    3: ends('..#', '#..'),
    22: ends('..#', '#..'),
    23: ends('..#', '#..'),
    24: ends('...##', '##...'),
  };
  assert.is(inked(page(corners)), letters);
  const quotes = { 2: ends('..#.#', '#.#..'), 3: ends('..#.#', '#.#..'), 4: ends('..#.#', '#.#..') };
  assert.is(inked(page(quotes)), letters + 12);
  const dots = {
    2: ends('..##', ''),
    3: ends('..##', ''),
    22: ends('..##', '##..'),
    23: ends('..##', '##..'),
  };
  const [upper, lower] = [
    { 2: ends('..##', ''), 3: ends('..##', '') },
    { 22: ends('', '##..'), 23: ends('', '##..') },
  ];
  assert.is(inked(page({ ...upper, ...lower })), letters + 8, 'two corners are none of a border');
  assert.ok(inked(page(dots)) >= letters);
});

test('the dots of a colon that stands apart from thinner letters are no icon', () => {
  const letters = '#.#..#.#..#.#..#.#';
  const end = (sign: readonly string[]) => {
    const rows = Array.from(
      { length: 16 },
      (_, y) =>
        `.${y < 14 ? letters : letters.replaceAll('#', '.')}${'.'.repeat(7)}${(sign[y] ?? '').padEnd(6, '.')}.`,
    );
    const contrast = contrastIn(sketch(rows, 0, 255));
    eraseIcons(contrast);
    return rowsOf(contrast).some((row) => row.slice(20).includes('#'));
  };
  const none = Array.from({ length: 4 }, () => '');
  const dot = Array.from({ length: 4 }, () => '####');
  assert.ok(end([...none, ...dot, '', '', ...dot]));
  assert.not.ok(end([...none, ...Array.from({ length: 6 }, () => '######')]));
});

test('what lies around a pill is no ink, though it has the colour of the letters', () => {
  const picture = flat(24, 14, [255, 255, 255]);
  for (let y = 1; y < 13; y++)
    for (let x = y < 3 || y > 10 ? 4 : 2; x < (y < 3 || y > 10 ? 20 : 22); x++)
      if (!(x === 11 && y > 3 && y < 10)) picture.data.set([231, 74, 59], (y * 24 + x) * 3);
  assert.equal(
    rowsOf(contrastIn(picture)).filter((row) => row.includes('#')),
    Array.from({ length: 6 }, () => '...........#............'),
  );
});

test('a badge is a filled surface with letters in it; a ring is none', () => {
  const around = (rows: readonly string[]) => {
    const wide = rows.map((row) => `.....${row}.....`);
    const none = Array.from({ length: 4 }, () => '.'.repeat(20));
    return contrastIn(sketch([...none, ...wide, ...none], 0, 255));
  };
  const badge = Array.from({ length: 10 }, (_, i) => (i > 2 && i < 7 ? '#####..###' : '##########'));
  assert.equal(badgeOf(around(badge)), { x0: 5, y0: 4, x1: 15, y1: 14 });
  const ring = Array.from({ length: 10 }, (_, i) => (i > 0 && i < 9 ? '#........#' : '##########'));
  assert.is(badgeOf(around(ring)), undefined);
});

test('a solid icon and the box of a choice before a text are erased; a letter and a thin arrow stay', () => {
  const letters = '..#.#..#.#..#.#..#.#.';
  const shown = (rows: readonly string[]) => {
    const contrast = contrastIn(sketch(rows, 0, 255));
    eraseIcons(contrast);
    return rowsOf(contrast);
  };
  const beside = (signs: readonly string[], from = 2, to = 12) =>
    signs.map((sign, y) => `.${sign}....${y >= from && y < to ? letters : letters.replaceAll('#', '.')}`);
  const blank = (rows: readonly string[]) =>
    rows.map((row) => `${'.'.repeat(row.length - letters.length)}${row.slice(-letters.length)}`);
  const solid = beside([
    '......',
    '......',
    '#.....',
    '###...',
    '####..',
    '#####.',
    '######',
    '#####.',
    '####..',
    '###...',
    '#.....',
    '......',
  ]);
  assert.equal(shown(solid), blank(solid));
  const side = `#${'.'.repeat(11)}#`;
  const box = beside(['#'.repeat(13), ...Array.from({ length: 11 }, () => side), '#'.repeat(13)], 2, 11);
  assert.equal(shown(box), blank(box));
  const arrow = beside([
    '......',
    '......',
    '#.....',
    '.#....',
    '..#...',
    '...#..',
    '....#.',
    '...#..',
    '..#...',
    '.#....',
    '#.....',
    '......',
  ]);
  assert.equal(shown(arrow), arrow);
  const capital = beside(['.........', '.........', ...Array.from({ length: 10 }, () => '#.......#')]);
  assert.equal(shown(capital), capital);
});

test('the box of a choice with faint broken corners, the bars of a menu and arrows are erased; letters are not', () => {
  const shown = (rows: readonly string[], ink = 0) => {
    const picture = sketch(rows, ink, 255);
    // Letters stay dark when the sign is faint.
    for (let y = 0; y < picture.height; y++)
      for (let x = 20; x < picture.width; x++)
        if (rows[y]?.[x] === '#')
          picture.data.fill(0, (y * picture.width + x) * 3, (y * picture.width + x) * 3 + 3);
    const contrast = contrastIn(picture);
    eraseIcons(contrast);
    const { width, data } = contrast;
    return data.some((value, place) => place % width < 20 && value >= FAINT);
  };
  const letters = '.#.#..#.#..#.#..#.#.';
  const text = (from: number, to: number, signs: readonly string[]) =>
    signs.map(
      (sign, y) => `.${sign.padEnd(19, '.')}${y >= from && y < to ? letters : letters.replaceAll('#', '.')}.`,
    );
  const [edge, side] = [`.${'#'.repeat(12)}.`, `#${'.'.repeat(12)}#`];
  const choice = ['', edge, ...Array.from({ length: 12 }, () => side), edge, ''];
  assert.not.ok(shown(text(3, 12, choice)));
  assert.not.ok(shown(text(3, 12, choice), 190));
  const [cap, stems] = ['#####.######', '#...#.#....#'];
  const pair = ['', cap, ...Array.from({ length: 12 }, () => stems), cap, ''];
  assert.ok(shown(text(3, 12, pair)));
  const bar = '#'.repeat(12);
  const menu = ['', '', '', bar, '', '', '', bar, '', '', '', bar, '', '', '', ''];
  assert.not.ok(shown(text(3, 12, menu)));
  const equals = ['', '', '', '', '', bar, '', '', '', bar, '', '', '', '', '', ''];
  assert.ok(shown(text(3, 12, equals)));
  const end = (arrow: readonly string[], from: number, gap: number) => {
    const rows = Array.from(
      { length: 16 },
      (_, y) =>
        `.${y >= 2 && y < 12 ? letters : letters.replaceAll('#', '.')}${'.'.repeat(gap)}${(arrow[y - from] ?? '').padEnd(9, '.')}`,
    );
    const contrast = contrastIn(sketch(rows, 0, 255));
    eraseIcons(contrast);
    return rowsOf(contrast).some((row) => row.slice(21).includes('#'));
  };
  const [chevron, solid] = [
    ['#.....#', '.#...#.', '..#.#..', '...#...'],
    ['#######', '.#####.', '..###..', '...#...'],
  ];
  assert.not.ok(end(chevron, 6, 5));
  assert.not.ok(end(solid, 12, 1));
  assert.ok(end(solid, 8, 1));
  assert.ok(end(['#...#', '#...#', '.#.#.', '.#.#.', '..#..', '..#..'], 6, 5));
  assert.ok(end(['..#..', '.#.#.', '#...#'], 9, 5));
});

test('a line below one letter is erased; an underscore, the lower bar of an = and the hook of a g stay', () => {
  const erased = (rows: readonly string[]) => {
    const contrast = contrastIn(
      sketch(
        ['', ...rows, ''].map((row) => `..${row.padEnd(20, '.')}..`),
        0,
        255,
      ),
    );
    const before = rowsOf(contrast);
    eraseLetterLines(contrast);
    return rowsOf(contrast).join('') !== before.join('');
  };
  const stem = Array.from({ length: 7 }, (_, y) => `#....#.${y === 0 ? '######' : '#....#'}.#....#`);
  assert.ok(erased([...stem, '', '.......######.......']));
  assert.not.ok(
    erased([...stem.map((row) => `${row.slice(0, 6)}........${row.slice(14)}`), '', '.......######.......']),
  );
  assert.not.ok(erased(['#.#.......#', '#.#.######.#', '', '#.#.######.#']));
  const hooked = [...stem.slice(0, 6), '.......######........', '', '..........####.......'];
  assert.not.ok(erased(hooked));
});

test('one column of ink is one letter, unless it is wider', () => {
  const isOne = (rows: readonly string[]) => {
    const picture = sketch(
      rows.map((row) => `...${row}...`),
      0,
      255,
    );
    const crop = textCrop(picture, all(picture));
    if (!crop) throw new Error('no crop');
    return isOneLetter(crop);
  };
  const none = '.'.repeat(8);
  assert.ok(isOne([none, none, '########', none, none, none, '########', none, none]));
  assert.not.ok(isOne([none, none, '########', '########', none, none]));
  assert.not.ok(isOne([none, ...Array.from({ length: 10 }, () => '##....##'), none]));
});

test('a stroke that bends below an underline stays whole', () => {
  const letters = Array.from({ length: 6 }, () => '#..#..##...#...#..#.');
  const rows = [
    ...letters,
    '..................#..',
    '#####################',
    '.................#...',
    '...............##....',
  ];
  const underlined = contrastIn(
    sketch(
      rows.map((row) => row.padEnd(21, '.')),
      0,
      255,
    ),
  );
  eraseUnderline(underlined, { x0: 0, y0: 0, x1: 21, y1: 10 });
  assert.is(rowsOf(underlined)[7]?.replaceAll('.', ''), '##');
});

test('an upright letter at the edge of a box that was widened to it is not a frame', () => {
  const rows = Array.from({ length: 16 }, (_, y) =>
    y > 2 && y < 13 ? '......##.####.####......' : '.'.repeat(24),
  );
  const picture = sketch(rows, 0, 255);
  const whole = textCrop(picture, { x0: 2, y0: 2, x1: 20, y1: 14 });
  const cut = textCrop(picture, { x0: 9, y0: 2, x1: 20, y1: 14 });
  assert.is(cut?.width, whole?.width);
});

test(
  'a low dot in a button is a full stop, and a cross at the end of a tab is not a letter',
  async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="50"><rect width="300" height="50" fill="#fff"/>
      <rect x="80.5" y="8.5" width="40" height="30" fill="none" stroke="#bbb"/><rect x="100" y="27" width="2" height="2" fill="#111"/>
      <path d="M272 18 l8 8 m0 -8 l-8 8" stroke="#111" stroke-width="2"/>
      <g font-family="DejaVu Sans, sans-serif" font-size="14" fill="#111"><text x="30" y="29">=</text><text x="200" y="27">services</text></g></svg>`;
    const texts = await readDrawn(svg, [
      { x0: 20, y0: 8, x1: 60, y1: 40 },
      { x0: 80, y0: 8, x1: 121, y1: 39 },
      { x0: 195, y0: 10, x1: 284, y1: 36 },
    ]);
    assert.equal(texts, ['=', '.', 'services']);
  },
  SLOW,
);

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

test('a box that a short tail follows is widened to it, and not to a column, a low mark or a piece of the next word', () => {
  const end = (row: string, from = 1, to = 11) => {
    const none = '.'.repeat(row.length);
    const rows = Array.from({ length: 12 }, (_, y) =>
      y >= from && y < to ? row : `..###.###${none.slice(9)}`,
    );
    return wholeLetters(sketch([none, ...rows.slice(1, 11), none], 0, 255), { x0: 1, y0: 0, x1: 9, y1: 12 })
      .x1;
  };
  const ground = '.'.repeat(20);
  assert.is(end(`..###.###....#..#${ground}`), 17);
  assert.is(end(`..###.###....#..#......#..#${ground}`), 9);
  assert.is(end(`..###.###....#.#.#.#.#.#${ground}`), 9);
  assert.is(end(`..###.###.......#..#${ground}`), 9);
  assert.is(end(`..###.###....#..#${ground}`, 7, 10), 9);
});

test('WIN-029 a unit behind a number is not read as a further digit', async () => {
  const texts = ['8 B', '50 l', '3.5 B', '0.8 l', '5S'];
  const sizes = [24, 32];
  const rows = texts.map((text, i) => {
    const words = sizes.map(
      (size, k) => `<text x="${20 + 120 * k}" y="${40 + 50 * i}" font-size="${size}">${text}</text>`,
    );
    return words.join('');
  });
  const boxes = texts.flatMap((_, i) =>
    sizes.map((size, k) => ({
      x0: 16 + 120 * k,
      y0: 37 + 50 * i - size * 0.75,
      x1: 130 + 120 * k,
      y1: 44 + 50 * i,
    })),
  );
  const read = await readDrawn(
    `<svg xmlns="http://www.w3.org/2000/svg" width="280" height="300"><rect width="280" height="300" fill="#fff"/><g font-family="DejaVu Sans" fill="#111">${rows.join('')}</g></svg>`,
    boxes,
  );
  const wrong = (read ?? []).filter((text, i) => text !== null && text !== texts[i >> 1]);
  assert.equal(wrong, []);
});

test('WIN-029 two digits of bold type are no display with unlit segments', async () => {
  const values = ['33', '35', '53', '55', '58', '63', '83', '85'];
  const texts = values.map((value, i) => `<text x="20" y="${40 + 50 * i}">${value}</text>`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="420"><rect width="100" height="420" fill="#fff"/><g font-family="Liberation Sans, Arimo, Arial" font-size="28" font-weight="bold" fill="#222">${texts}</g></svg>`;
  // Wide enough for the digits of DejaVu, where there is no Liberation.
  const boxes = values.map((_, i) => ({ x0: 16, y0: 16 + 50 * i, x1: 64, y1: 44 + 50 * i }));
  const found = await readDrawn(svg, boxes);
  if (found) assert.equal(found, values);
});

test('WIN-029 a comma at the end of a word is no mark of the number behind it in type of one width, and .5 beside a word keeps its own', async () => {
  const rows = ['DejaVu Sans Mono', 'Liberation Mono', 'Noto Sans Mono'].flatMap((font) =>
    ['Draft, 12 October', 'max. 16 A', 'Tank .5 bar'].map((text) => ({ font, text })),
  );
  const lines = rows.map(
    ({ font, text }, i) => `<text x="20" y="${30 + 40 * i}" font-family="${font}">${text}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="260" height="500"><rect width="260" height="500" fill="#ffe082"/><g font-size="13">${lines.join('')}</g></svg>`;
  const boxes = rows.map(({ text }, i) => ({
    x0: 18,
    y0: 16 + 40 * i,
    x1: 24 + 8 * text.length,
    y1: 36 + 40 * i,
  }));
  const found = await readDrawn(svg, boxes);
  if (!found) return;
  const given = rows.map(({ text }, i) => [text, found[i] ?? null] as const);
  assert.equal(
    given.filter(([text, read]) => read !== null && read !== text),
    [],
  );
  const withNone = given.flatMap(([text, read]) => (read === null ? [text] : []));
  assert.equal(
    withNone.filter((text) => text !== 'Tank .5 bar'),
    [],
  );
});

test('WIN-029 a drop beside a label is not read as a digit of it', async () => {
  const drop = 'M90.96 24.84 C96.96 32.04 95.16 36.84 90.96 36.84 C86.76 36.84 84.96 32.04 90.96 24.84';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="56"><rect width="180" height="56" fill="#1c2128"/><path d="${drop}" fill="none" stroke="#f0f3f6" stroke-width="1.6"/><text x="20" y="36" font-family="DejaVu Sans" font-size="16" fill="#f0f3f6">Mask A</text></svg>`;
  const [text = null] = (await readDrawn(svg, [{ x0: 17, y0: 20, x1: 100, y1: 41 }])) ?? [];
  assert.not.match(text ?? '', /\d/);
});

test.run();
