import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { drawnSvg, flat, paint } from '../../test-kit/window/pictures.ts';
import { detect } from '../detect/detect.ts';
import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import { needSharp } from '../image/sharp.ts';
import type { TextCrop } from './crop.ts';
import { CLASSES } from './glyph/classes.ts';
import type { SeenLine } from './glyph/read-line.ts';
import { TextReader } from './text-reader.ts';
import { unreadInk } from './unread-ink.ts';

const test = suite('ink that a reading leaves out');
const SLOW = { timeoutMs: 600_000 };

/** `[...]` is drawn in a colour of its own. */
const NUMBERS = [
  '[-]12.5 °C',
  '[- ]3.1 kPa',
  '7[.]4 kPa',
  '1[,]25 V',
  '5 [m]V',
  '12 [µ]A',
  '[±]0.5 %',
  '[1]8 bar',
];

interface Theme {
  ground: string;
  ink: string;
  others: readonly string[];
}

const THEMES: readonly Theme[] = [
  {
    ground: '#ffffff',
    ink: '#222222',
    others: ['#f0f0f0', '#e0e0e0', '#cccccc', '#bbbbbb', '#aaaaaa', '#888888', '#ffee58'],
  },
  {
    ground: '#1c2128',
    ink: '#f0f3f6',
    others: ['#262c34', '#30363d', '#444c56', '#57606a', '#768390', '#99a2ad', '#7a2020'],
  },
  { ground: '#8a8f98', ink: '#101418', others: ['#9aa0a8', '#7a7f88', '#c4c8ce', '#ffffff'] },
];

interface Row {
  text: string;
  size: number;
  theme: Theme;
  other: string;
  /** Part of a pixel that it stands further right. */
  shift: number;
}

const rowsOf = (sizes: readonly number[]): Row[] =>
  THEMES.flatMap((theme) =>
    theme.others.flatMap((other) =>
      NUMBERS.flatMap((text) =>
        sizes.map((size, i) => ({ text, size, theme, other, shift: i / sizes.length })),
      ),
    ),
  );

const HIGH = 44;
const FOOT = 29;
const WIDE = 240;

async function drawn(rows: readonly Row[], blur: number): Promise<Pixels> {
  const sharp = await needSharp('the test');
  const lines = rows.map(({ text, size, theme, other, shift }, i) => {
    const shown = text.replace(/\[(.*)\]/, `<tspan fill="${other}">$1</tspan>`);
    return `<rect y="${i * HIGH}" width="${WIDE}" height="${HIGH}" fill="${theme.ground}"/><text x="${40 + shift}" y="${i * HIGH + FOOT}" font-size="${size}" fill="${theme.ink}" xml:space="preserve">${shown}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${rows.length * HIGH}"><g font-family="DejaVu Sans, sans-serif">${lines.join('')}</g></svg>`;
  const picture = sharp(Buffer.from(svg)).removeAlpha();
  const { data, info } = await (blur > 0 ? picture.blur(blur) : picture)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Around the letters in the usual colour alone, as a detector may find them. */
function strongBox({ width, data }: Pixels, { size, theme }: Row, i: number): Box {
  const [ink, ground] = [theme.ink, theme.ground].map((colour) => Number.parseInt(colour.slice(1, 3), 16));
  const box = {
    x0: width,
    x1: 0,
    y0: i * HIGH + FOOT - Math.round(size * 0.8),
    y1: i * HIGH + FOOT + 1 + Math.round(size * 0.25),
  };
  for (let y = box.y0; y < box.y1; y++)
    for (let x = 0; x < width; x++)
      if (((data[(y * width + x) * 3] ?? 0) - (ground ?? 0)) / ((ink ?? 0) - (ground ?? 0)) > 0.75) {
        box.x0 = Math.min(box.x0, x);
        box.x1 = Math.max(box.x1, x + 1);
      }
  return box;
}

const wideBox = (i: number): Box => ({ x0: 20, x1: WIDE - 20, y0: i * HIGH + 4, y1: (i + 1) * HIGH - 4 });

async function read(pixels: Pixels, boxes: readonly Box[]) {
  const reader = new TextReader();
  try {
    const found = await reader.read(pixels, boxes, 'en', Number.POSITIVE_INFINITY);
    if (!found) throw new Error('text recognition is not installed');
    return found;
  } finally {
    await reader.close();
  }
}

const squeezed = (text: string): string => text.replace(/[[\]\s]/g, '');
const named = ({ text, size, theme, other }: Row, got: string | null | undefined): string =>
  `${text} of ${size} px, ${other} on ${theme.ground}: ${got}`;

for (const { sizes, blur } of [
  { sizes: [10, 16], blur: 0 },
  { sizes: [12], blur: 0.5 },
])
  test(
    `WIN-029 a number whose sign, mark, prefix or digit is faint is read as it stands or has a reason (blur ${blur})`,
    async () => {
      const rows = rowsOf(sizes);
      const pixels = await drawn(rows, blur);
      const wrong: string[] = [];
      for (const boxes of [rows.map((row, i) => strongBox(pixels, row, i)), rows.map((_, i) => wideBox(i))]) {
        const { texts, reasons } = await read(pixels, boxes);
        rows.forEach((row, i) => {
          const text = texts[i];
          const isRead = typeof text === 'string' && /\d/.test(text);
          if (isRead ? squeezed(text) !== squeezed(row.text) : text === null && !reasons[i])
            wrong.push(named(row, text));
        });
      }
      assert.equal(wrong, []);
    },
    SLOW,
  );

test(
  'WIN-029 what is found of a number with a faint sign, mark or prefix is never read as another number',
  async () => {
    const rows = rowsOf([14]);
    const pixels = await drawn(rows, 0);
    const boxes = detect(pixels).map(({ box }) => box);
    const { texts } = await read(pixels, boxes);
    const wrong = boxes.flatMap(({ y0, y1 }, k) => {
      const [row, text] = [rows[Math.floor((y0 + y1) / 2 / HIGH)], texts[k]];
      if (!row || typeof text !== 'string' || !/\d/.test(text)) return [];
      const value = squeezed(row.text);
      return [value, value.replace(/[^\d.,]+$/, '')].includes(squeezed(text)) ? [] : [named(row, text)];
    });
    assert.equal(wrong, []);
  },
  SLOW,
);

test(
  'WIN-029 rules, frames, noise and the letters of another element beside a number leave it as it is',
  async () => {
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200" fill="#fff"/><g font-family="DejaVu Sans" font-size="15" fill="#222">
<rect x="10.5" y="6.5" width="90" height="28" fill="none" stroke="#bbb"/><text x="20" y="26">12.5 bar</text>
<text x="20" y="66">-4.82 kPa</text><path d="M20 69.5h76" stroke="#222"/>
<text x="20" y="106" fill="#bbb">Inlet</text><text x="66" y="106">101.3 kPa</text><path d="M150 80v40" stroke="#ccc"/>
<rect x="10" y="126" width="110" height="26" rx="13" fill="#1a73e8"/><text x="26" y="144" fill="#fff">30 l/min</text></g></svg>`;
    const { texts } = await read(await drawnSvg(picture), [
      { x0: 10, y0: 6, x1: 101, y1: 35 },
      { x0: 20, y0: 52, x1: 96, y1: 72 },
      { x0: 20, y0: 94, x1: 55, y1: 107 },
      { x0: 66, y0: 93, x1: 141, y1: 107 },
      { x0: 10, y0: 126, x1: 120, y1: 152 },
    ]);
    assert.equal(texts, ['12.5 bar', '-4.82 kPa', 'Inlet', '101.3 kPa', '30 l/min']);
  },
  SLOW,
);

/** Letters as blocks of 5 x 12 pixels, a blank among them, and what is left out around them. */
const placeOf = (i: number): number => 40 + i * 7 + (i < 6 ? 0 : 4);

function leftOutAround(ground: number, ink: number, more: (pixels: Pixels) => void): Box[] {
  const [width, height, letters] = [200, 52, 12];
  const pixels = flat(width, height, [ground, ground, ground]);
  for (let i = 0; i < letters; i++) paint(pixels, placeOf(i), 20, 5, 12, [ink, ink, ink]);
  more(pixels);
  const shade = (value: number) => Math.round(255 * (1 - (value - ground) / (ink - ground)));
  const picture = {
    width,
    height,
    data: pixels.data.map((value) => Math.max(0, Math.min(255, shade(value)))),
  };
  const crop = { picture, scale: 1, left: 0, top: 0 } as TextCrop;
  const line: SeenLine = {
    letters: Array.from({ length: letters }, (_, i) => ({
      found: new Float32Array(CLASSES.length),
      box: { x0: placeOf(i), y0: 20, x1: placeOf(i) + 5, y1: 32 },
    })),
    measure: { baseline: 32, height: 12 },
  };
  return unreadInk(pixels, crop, line).map(({ x0, y0, x1, y1 }) => ({ x0, y0, x1, y1 }));
}

test('WIN-029 the soft edges of letters are no ground, also in a row where they are most of what is not read', () => {
  const soft = (pixels: Pixels) => {
    for (let i = 0; i < 12; i++) paint(pixels, placeOf(i), 25, 5, 1, [70, 70, 70]);
  };
  assert.equal(leftOutAround(30, 200, soft), []);
});

test('WIN-029 what lies beyond the end of the ground of a number is none of its ink, a faint sign on that ground is', () => {
  const beyond = (pixels: Pixels) => {
    for (const x of [0, 130])
      for (let y = 0; y < 52; y++) if (y % 7 < 5) paint(pixels, x, y, x === 0 ? 35 : 70, 1, [226, 226, 226]);
  };
  assert.equal(leftOutAround(250, 60, beyond), []);
  const sign = (pixels: Pixels) => paint(pixels, 32, 25, 5, 2, [236, 236, 236]);
  assert.equal(leftOutAround(250, 60, sign), [{ x0: 32, y0: 25, x1: 37, y1: 27 }]);
});

test(
  'WIN-029 specks of noise around a number leave it as it is; a faint minus stronger than they are does not',
  async () => {
    const specked = async (minus: string): Promise<Pixels> => {
      const pixels = await drawnSvg(
        `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect width="100%" height="100%" fill="#fff"/><rect x="38" y="30" width="8" height="2" fill="${minus}"/><text x="52" y="38" font-family="DejaVu Sans" font-size="20" fill="#222">12.5 bar</text></svg>`,
      );
      for (let i = 0; i < 40; i++) {
        const place = ((18 + ((i * 7) % 24)) * pixels.width + 36 + ((i * 13) % 120)) * 3;
        if ((pixels.data[place] ?? 0) > 250) pixels.data.fill(255 - 6 - (i % 4), place, place + 3);
      }
      return pixels;
    };
    const box = { x0: 50, x1: 144, y0: 21, y1: 41 };
    for (const [minus, text] of [
      ['#ffffff', '12.5 bar'],
      ['#ebebeb', null],
      ['#d0d0d0', null],
    ] as const)
      assert.is((await read(await specked(minus), [box])).texts[0], text, minus);
  },
  SLOW,
);

test.run();
