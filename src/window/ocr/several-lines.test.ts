import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { drawnSvg } from '../../test-kit/window/pictures.ts';
import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import type { Contrast } from './contrast.ts';
import { TextReader } from './text-reader.ts';
import { partedLines } from './touching-lines.ts';

const test = suite('boxes of several lines');
const SLOW = { timeoutMs: 600_000 };

const NUMBERS = ['12.5', '-3.1', '101.3 kPa', '4.82 bar', '1013', '0.07', '21.4 °C', '30 l/min', '-0.2 mbar'];
const WORDS = ['Inlet', 'Pressure', 'Chamber', 'Start', 'Exhaust valve', 'Lung motor', 'gap', 'Type'];
const FONTS = ['DejaVu Sans', 'DejaVu Sans Mono', 'Liberation Sans'];

interface Column {
  rows: readonly string[];
  size: number;
  /** From one line to the next, by the size. */
  spacing: number;
  anchor: string;
  font: string;
  isDark: boolean;
  scale: number;
}

const MARGIN = 20;

const WIDE = 200;

async function drawn({
  rows,
  size,
  spacing,
  anchor,
  font,
  isDark,
  scale,
}: Column): Promise<{ pixels: Pixels; box: Box }> {
  const high = Math.round(2 * MARGIN + size * spacing * rows.length);
  const [ground, ink] = isDark ? ['#1c2128', '#f0f3f6'] : ['#ffffff', '#222222'];
  const x = { start: MARGIN, middle: WIDE / 2, end: WIDE - MARGIN }[anchor] ?? 0;
  const lines = rows.map(
    (row, i) => `<text x="${x}" y="${Math.round(MARGIN + size + i * size * spacing)}">${row}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE * scale}" height="${high * scale}" viewBox="0 0 ${WIDE} ${high}"><rect width="100%" height="100%" fill="${ground}"/><g font-family="${font}" font-size="${size}" fill="${ink}" text-anchor="${anchor}">${lines.join('')}</g></svg>`;
  const pixels = await drawnSvg(svg);
  const edge = Math.round(4 * scale);
  return {
    pixels,
    box: { x0: edge, y0: edge, x1: pixels.width - edge, y1: pixels.height - edge },
  };
}

/** Columns of 2 to 8 rows in many sizes, spacings, alignments, types and densities. */
function columnsOf(words: readonly string[], spacings: readonly number[]): Column[] {
  const random = seededRandom(1);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  return [10, 12, 14, 16, 18, 20].flatMap((size) =>
    spacings.flatMap((spacing) =>
      [1, 1.5, 2].map((scale) => ({
        rows: Array.from({ length: one([2, 3, 4, 6, 8]) }, () => one(words)),
        size,
        spacing,
        scale,
        anchor: one(['start', 'middle', 'end']),
        font: one(FONTS),
        isDark: random() < 0.3,
      })),
    ),
  );
}

async function read(columns: readonly Column[]) {
  const reader = new TextReader();
  try {
    const found: { column: Column; text: string | null; reason: string | undefined }[] = [];
    for (const column of columns) {
      const { pixels, box } = await drawn(column);
      const read = await reader.read(pixels, [box], 'en');
      if (!read) throw new Error('text recognition is not installed');
      found.push({ column, text: read.texts[0] ?? null, reason: read.reasons[0] });
    }
    return found;
  } finally {
    await reader.close();
  }
}

test(
  'WIN-029 a box around a column of numbers has no text and says why, however close its rows stand',
  async () => {
    const found = await read(columnsOf(NUMBERS, [1, 1.15, 1.3, 1.8]));
    assert.equal(
      found.filter(({ text, reason }) => text !== null || !reason),
      [],
    );
  },
  SLOW,
);

test(
  'WIN-029 the words of a box of up to four lines are read line by line, or not at all',
  async () => {
    const found = await read(columnsOf(WORDS, [1, 1.15, 1.3, 1.8]));
    const wrong = found.filter(({ column, text }) => text !== null && text !== column.rows.join(' '));
    assert.equal(wrong, []);
    const few = found.filter(({ column }) => column.rows.length <= 4);
    assert.ok(few.filter(({ text }) => text !== null).length >= 0.6 * few.length);
    assert.ok(
      found.every(({ column, text, reason }) => column.rows.length <= 4 || (text === null && reason)),
    );
  },
  SLOW,
);

test(
  'WIN-029 a name above its value is one text, with the value as sure as one that stands alone',
  async () => {
    const tiles = NUMBERS.map((value, i) => ({
      rows: [WORDS[i % 6] as string, value],
      size: 13 + (i % 4),
      spacing: 1.4,
      scale: 1,
      anchor: 'middle',
      font: FONTS[i % 3] as string,
      isDark: i % 2 === 1,
    }));
    const found = await read(tiles);
    const wrong = found.filter(({ column, text }) => text !== null && text !== column.rows.join(' '));
    assert.equal(wrong, []);
    assert.ok(found.filter(({ text }) => text !== null).length >= 0.7 * found.length);
  },
  SLOW,
);

const LABELS = [
  ['Leakage rate', 'of the mask'],
  ['Respiratory', 'minute volume'],
  ['Breathing', 'resistance'],
  ['Chamber', 'temperature'],
  ['Inlet flow', 'maximum'],
] as const;

test(
  'WIN-029 a value beside a label of two lines is never cut in two and read as other letters',
  async () => {
    const reader = new TextReader();
    const wrong: string[] = [];
    for (const font of FONTS)
      for (const size of [16, 18, 20, 24]) {
        const tiles = LABELS.flatMap(([upper, lower], row) =>
          ['0.7', '97', '9.7', '17', '8 l'].map((value, column) => {
            const [x, y] = [10 + column * 200, 10 + row * 60];
            const words = `<text x="${x + 8}" y="${y + 18}" font-size="12">${upper}</text><text x="${x + 8}" y="${y + 33}" font-size="12">${lower}</text>`;
            const number = `<text x="${x + 115}" y="${Math.round(y + 22 + size * 0.36)}" font-size="${size}">${value}</text>`;
            return {
              svg: words + number,
              whole: `${upper} ${lower} ${value}`,
              box: { x0: x, y0: y, x1: x + 180, y1: y + 44 },
            };
          }),
        );
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1020" height="320"><rect width="100%" height="100%" fill="#e9edf2"/><g font-family="${font}" fill="#222">${tiles.map((tile) => tile.svg).join('')}</g></svg>`;
        const pixels = await drawnSvg(svg);
        const read = await reader.read(
          pixels,
          tiles.map(({ box }) => box),
          'en',
        );
        tiles.forEach(({ whole }, i) => {
          const text = read?.texts[i] ?? null;
          if (text !== null && text !== whole) wrong.push(`${font} ${size}: ${whole} as ${text}`);
        });
      }
    await reader.close();
    assert.equal(wrong, []);
  },
  SLOW,
);

interface Tile {
  readonly svg: string;
  readonly whole: string;
  readonly box: Box;
}

/** Tiles of which another text than the whole is read, or none without a reason. */
/** Tiles that are read as something else, or not without a reason, or not for one that there is not. */
async function readOtherwise(
  reader: TextReader,
  font: string,
  tiles: readonly Tile[],
  noReasons: readonly string[] = [],
): Promise<string[]> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1020" height="320"><rect width="100%" height="100%" fill="#e9edf2"/><g font-family="${font}" fill="#222">${tiles.map((tile) => tile.svg).join('')}</g></svg>`;
  const boxes = tiles.map(({ box }) => box);
  const read = await reader.read(await drawnSvg(svg), boxes, 'en');
  return tiles.flatMap(({ whole }, i) => {
    const [text, reason] = [read?.texts[i] ?? null, read?.reasons[i]];
    const isWrong = text === null ? reason === undefined || noReasons.includes(reason) : text !== whole;
    return isWrong ? [`${font}: ${whole} as ${text}`] : [];
  });
}

test(
  'WIN-029 a large value beside a label of two lines is not left out as an icon without a reason',
  async () => {
    const values = ['97', '4.8', '0.7', '8', '-12'];
    const reader = new TextReader();
    const wrong: string[] = [];
    for (const font of FONTS) {
      const tiles = LABELS.flatMap(([upper, lower], row) =>
        values.map((value, column) => {
          const [x, y] = [10 + column * 200, 10 + row * 60];
          const words = `<text x="${x + 8}" y="${y + 18}" font-size="12">${upper}</text><text x="${x + 8}" y="${y + 37}" font-size="12">${lower}</text>`;
          const number = `<text x="${x + 115}" y="${y + 37}" font-size="36" font-weight="bold">${value}</text>`;
          return {
            svg: words + number,
            whole: `${upper} ${lower} ${value}`,
            box: { x0: x, y0: y, x1: x + 190, y1: y + 48 },
          };
        }),
      );
      wrong.push(...(await readOtherwise(reader, font, tiles)));
    }
    await reader.close();
    assert.equal(wrong, []);
  },
  SLOW,
);

/** Strokes of one column each, three columns apart. */
function strokesOf(spans: readonly (readonly [from: number, to: number])[], height: number): Contrast {
  const width = 3 * spans.length;
  const data = new Uint8Array(width * height);
  for (const [i, [from, to]] of spans.entries())
    for (let y = from; y < to; y++) data[y * width + 3 * i + 1] = 255;
  return { width, height, data };
}

test('WIN-029 heads of letters above the rest of them are no line; two lines that touch are', () => {
  const small = Array.from({ length: 14 }, () => [14, 28] as const);
  const heads = [0, 1, 2, 3].map(() => [4, 28] as const);
  const ink = strokesOf([[4, 10], ...heads, ...small], 32);
  // The first two are one letter.
  ink.data.fill(255, 4 * ink.width + 1, 4 * ink.width + 5);
  assert.equal(partedLines(ink), {
    lines: [{ from: 4, to: 28 }],
    areJoined: false,
  });
  const above = Array.from({ length: 16 }, () => [4, 17] as const);
  const below = Array.from({ length: 16 }, () => [19, 32] as const);
  const touching = [[4, 19] as const];
  assert.equal(partedLines(strokesOf([...above, ...below, ...touching], 40)), {
    lines: [
      { from: 4, to: 18 },
      { from: 18, to: 32 },
    ],
    areJoined: false,
  });
  const value = [[4, 32] as const];
  assert.ok(partedLines(strokesOf([...above, ...below, ...value], 40)).areJoined);
});

test(
  'WIN-029 dots of large letters are no line beside another one',
  async () => {
    const reader = new TextReader();
    const wrong: string[] = [];
    for (const font of ['DejaVu Sans Mono', 'DejaVu Sans'])
      for (const size of [32, 40, 48]) {
        const tiles = ['jumping', '4478 min', 'previous limit', 'Exhalation'].map((text, row) => ({
          svg: `<text x="20" y="${50 + row * 70}" font-size="${size}" font-weight="bold">${text}</text>`,
          whole: text,
          box: { x0: 12, y0: 4 + row * 70, x1: 560, y1: 66 + row * 70 },
        }));
        wrong.push(...(await readOtherwise(reader, font, tiles, ['several_lines'])));
      }
    await reader.close();
    assert.equal(wrong, []);
  },
  SLOW,
);

test(
  'WIN-029 a large value beside a label that ends with a digit, and a lone 0 or 1, is not left out without a reason',
  async () => {
    const reader = new TextReader();
    const wrong: string[] = [];
    for (const font of FONTS) {
      const tiles = ['Tank 2', 'PM2.5', 'Inlet'].flatMap((label, row) =>
        ['97', '48', '0', '1', '-1'].map((value, column) => {
          const [x, y] = [10 + column * 200, 10 + row * 60];
          const words = `<text x="${x + 8}" y="${y + 37}" font-size="12">${label}</text>`;
          const number = `<text x="${x + 100}" y="${y + 37}" font-size="36" font-weight="bold">${value}</text>`;
          return {
            svg: words + number,
            whole: `${label} ${value}`,
            box: { x0: x, y0: y, x1: x + 190, y1: y + 48 },
          };
        }),
      );
      wrong.push(...(await readOtherwise(reader, font, tiles)));
    }
    await reader.close();
    assert.equal(wrong, []);
  },
  SLOW,
);

test(
  'WIN-029 a bold 7 and other single digits in large type beside a label are not left out without a reason',
  async () => {
    const reader = new TextReader();
    const wrong: string[] = [];
    for (const font of [...FONTS, 'DejaVu Serif'])
      for (const size of [20, 24, 30, 48]) {
        const tiles = ['Tank 2', 'PM2.5', 'Inlet', 'Level', 'Tank A'].flatMap((label, row) =>
          ['7', '8', '4', '1', '97'].map((value, column) => {
            const [x, y] = [10 + column * 200, 10 + row * 60];
            const words = `<text x="${x + 8}" y="${y + 37}" font-size="12">${label}</text>`;
            const number = `<text x="${x + 100}" y="${y + 37}" font-size="${size}" font-weight="bold">${value}</text>`;
            return {
              svg: words + number,
              whole: `${label} ${value}`,
              box: { x0: x, y0: y, x1: x + 190, y1: y + 48 },
            };
          }),
        );
        wrong.push(...(await readOtherwise(reader, font, tiles)));
      }
    await reader.close();
    assert.equal(wrong, []);
  },
  SLOW,
);

test(
  'WIN-029 a fraction beside a label in light type is not taken for an icon',
  async () => {
    const reader = new TextReader();
    const wrong: string[] = [];
    for (const font of [...FONTS, 'DejaVu Serif']) {
      const tiles = ['Tank 2', 'Inlet'].flatMap((label, row) =>
        ['.5', '.25', '-.5', '.75'].map((value, column) => {
          const [x, y] = [10 + column * 200, 10 + row * 60];
          return {
            svg: `<text x="${x + 8}" y="${y + 37}" font-size="12">${label}</text><text x="${x + 100}" y="${y + 37}" font-size="24">${value}</text>`,
            whole: `${label} ${value}`,
            box: { x0: x, y0: y, x1: x + 190, y1: y + 48 },
          };
        }),
      );
      const others = await readOtherwise(reader, font, tiles);
      // The letters of a label that is so much smaller may be read otherwise, the value not.
      wrong.push(...others.filter((one) => !/: (?:Tank 2|Inlet) (\S+) as .* \1$/.test(one)));
    }
    await reader.close();
    assert.equal(wrong, []);
  },
  SLOW,
);

test(
  'WIN-029 a large value that begins with its decimal mark, beside a label, is neither left out nor read as another one',
  async () => {
    const reader = new TextReader();
    const wrong: string[] = [];
    for (const font of FONTS)
      for (const size of [24, 36]) {
        const tiles = ['Tank 2', 'Inlet'].flatMap((label, row) =>
          ['.5', '.25', '-.5', '+.5'].map((value, column) => {
            const [x, y] = [10 + column * 200, 10 + row * 60];
            const words = `<text x="${x + 8}" y="${y + 37}" font-size="12">${label}</text>`;
            const number = `<text x="${x + 100}" y="${y + 37}" font-size="${size}" font-weight="bold">${value}</text>`;
            return {
              svg: words + number,
              whole: `${label} ${value}`,
              box: { x0: x, y0: y, x1: x + 190, y1: y + 48 },
            };
          }),
        );
        const others = await readOtherwise(reader, font, tiles);
        // The letters of a label that is so much smaller may be read otherwise, the value not.
        wrong.push(...others.filter((one) => !/: (?:Tank 2|Inlet) (\S+) as .* \1$/.test(one)));
      }
    await reader.close();
    assert.equal(wrong, []);
  },
  SLOW,
);

test(
  'WIN-029 the bars and dots of = and : are no label of two lines, and a value behind them is read as it is or not at all',
  async () => {
    const reader = new TextReader();
    const texts = ['P = 4.8', 'Flow: 5', 'Flow = 4.1', 'Q = 30'];
    const all: [string, string | null, string | undefined][] = [];
    for (const font of FONTS)
      for (const size of [12, 14, 20, 80, 110]) {
        const row = 2 * size + 20;
        const lines = texts
          .map((text, i) => `<text x="20" y="${i * row + size + 12}">${text}</text>`)
          .join('');
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="${texts.length * row}"><rect width="100%" height="100%" fill="#fff"/><g font-family="${font}" font-size="${size}" fill="#222">${lines}</g></svg>`;
        const boxes = texts.map((_, i) => ({
          x0: 10,
          y0: i * row + 4,
          x1: 880,
          y1: i * row + 4 + 1.5 * size,
        }));
        const read = await reader.read(await drawnSvg(svg), boxes, 'en');
        texts.forEach((text, i) => {
          all.push([`${font} ${size}: ${text}`, read?.texts[i] ?? null, read?.reasons[i]]);
        });
      }
    await reader.close();
    assert.equal(
      all.filter(([, , reason]) => reason === 'several_lines'),
      [],
    );
    const digits = (text: string) => text.replace(/^.*[:=—-]/, '').replace(/[^\d.,]/g, '');
    const wrong = all.filter(
      ([text, read]) => read !== null && /\d/.test(read) && digits(read) !== digits(text),
    );
    assert.equal(wrong, []);
    assert.ok(all.filter(([, read]) => read !== null).length >= 0.6 * all.length);
  },
  SLOW,
);

test(
  'WIN-034 a pale fraction beside a 1 is not lost for the stems of the lines above and below it',
  async () => {
    const [size, pitch] = [24, 28];
    const high = size * 0.729;
    const stem = size * 0.095;
    const one = (x: number, y: number) =>
      `<path d="M${x - stem},${y} v${-high * 0.8} l${-size * 0.17},${size * 0.1} v${-size * 0.09} l${size * 0.19},${-high * 0.2} h${stem * 0.8} v${high} z"/>`;
    const rows = ['2', '3', '5'].map(
      (tens, i) =>
        `<text x="40" y="${40 + i * pitch}">${tens}</text>${one(40 + size * 1.05, 40 + i * pitch)}`,
    );
    const pixels = await drawnSvg(
      `<svg xmlns="http://www.w3.org/2000/svg" width="260" height="160"><rect width="100%" height="100%" fill="#fff"/><g font-family="DejaVu Sans" font-size="${size}" fill="#222">${rows.join('')}<text x="${40 + size * 1.12}" y="${40 + pitch}" fill="#ddd">.5</text></g></svg>`,
    );
    const box = {
      x0: 38,
      y0: 39 + pitch - Math.round(high),
      x1: Math.ceil(41 + size * 1.05),
      y1: 41 + pitch,
    };
    const reader = new TextReader();
    const read = await reader.read(pixels, [box], 'en');
    await reader.close();
    assert.equal([read?.texts[0], read?.reasons[0]], [null, 'number_unsure']);
  },
  SLOW,
);

test.run();
