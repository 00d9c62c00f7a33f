import * as assert from 'uvu/assert';
import { drawn } from '../../lab/compare-benchmark/judge.ts';
import { makeScreen } from '../../lab/compare-benchmark/screen.ts';
import { wordsOf } from '../../lab/ocr-benchmark/samples.ts';
import { type SegmentLook, segmentDrawing, segmentLook } from '../../lab/ocr-benchmark/segment-drawing.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { drawnSvg, flat, paint } from '../../test-kit/window/pictures.ts';
import { frame, writeText } from '../../test-kit/window/write-text.ts';
import { detect } from '../detect/detect.ts';
import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import { needSharp } from '../image/sharp.ts';
import { readSegments } from './seven-segments.ts';
import { TextReader } from './text-reader.ts';
import { byNeighbours } from './wording.ts';

const test = suite('seven-segment displays');

type Color = [number, number, number];

/** Lit segments, in the order top, upper right, lower right, bottom, lower left, upper left, middle. */
const LIT: Readonly<Record<string, string>> = {
  '0': '1111110',
  '1': '0110000',
  '2': '1101101',
  '3': '1111001',
  '4': '0110011',
  '5': '1011011',
  '6': '1011111',
  '7': '1110000',
  '8': '1111111',
  '9': '1111011',
  '-': '0000001',
};

interface Display {
  text: string;
  height: number;
  ink: Color;
  ground: Color;
  /** Of segments that are not lit. */
  unlit?: Color;
  /** Of the last digit, where it is another one. */
  last?: Color;
  /** Segments of another colour: place of their digit, and of them in that digit. */
  dim?: { place: number; segment: number | readonly number[]; color: Color };
  /** By the height. */
  thick?: number;
}

/** A display whose segments are bars with gaps between them. */
function display({
  text,
  height: h,
  ink,
  ground,
  unlit,
  last = ink,
  dim,
  thick: share = 0.11,
}: Display): Pixels {
  const thick = Math.max(2, Math.round(h * share));
  const gap = Math.max(1, Math.round(h * 0.03));
  const w = Math.round(h * 0.56);
  const picture = flat(text.length * (w + 2 * thick) + 20, h + 16, ground);
  let x = 10;
  for (const [place, sign] of [...text].entries()) {
    const top = 8;
    if (sign === '.') {
      paint(picture, x - thick, top + h - thick, thick, thick, ink);
      x += thick;
      continue;
    }
    const half = Math.round((h - thick) / 2);
    const level = w - 2 * (thick + gap);
    const upright = half - thick - 2 * gap;
    const bars = [
      [thick + gap, 0, level, thick],
      [w - thick, thick + gap, thick, upright],
      [w - thick, half + thick + gap, thick, upright],
      [thick + gap, h - thick, level, thick],
      [0, half + thick + gap, thick, upright],
      [0, thick + gap, thick, upright],
      [thick + gap, half, level, thick],
    ] as const;
    bars.forEach(([dx, dy, width, height], i) => {
      const lit = place === text.length - 1 ? last : ink;
      const isDim = dim?.place === place && [dim.segment].flat().includes(i);
      const color = isDim ? dim.color : LIT[sign]?.[i] === '1' ? lit : unlit;
      if (color) paint(picture, x + dx, top + dy, width, height, color);
    });
    x += w + 2 * thick;
  }
  return picture;
}

const read = (picture: Pixels) =>
  readSegments(picture, { x0: 0, y0: 0, x1: picture.width, y1: picture.height })?.digits;

test('WIN-029 digits, minus and decimal point are exact at all heights, light on dark and dark on light, beside unlit segments', () => {
  const looks: Omit<Display, 'text' | 'height'>[] = [
    { ink: [255, 60, 40], ground: [20, 0, 0], unlit: [50, 8, 6] },
    { ink: [20, 40, 16], ground: [154, 168, 137] },
    { ink: [60, 255, 90], ground: [0, 16, 0] },
  ];
  for (const look of looks)
    for (const height of [18, 24, 40, 76])
      for (const text of ['4.82', '101.3', '-0.75', '1234', '56789', '1.1', '80.08'])
        assert.is(read(display({ ...look, text, height })), text, `${text} of ${height} px`);
});

test('WIN-029 a display with a segment that is no part of a digit has no reading', () => {
  const broken = display({ text: '88', height: 40, ink: [255, 60, 40], ground: [20, 0, 0] });
  // Top and bottom of the first digit go out: what is left is the letter H.
  paint(broken, 10, 8, 20, 6, [20, 0, 0]);
  paint(broken, 10, 42, 20, 6, [20, 0, 0]);
  assert.is(read(broken), undefined);
  assert.is(read(flat(60, 40, [0, 0, 0])), undefined);
});

test('WIN-029 slanted, pointed, thick, glowing and dim displays with colons and leading blanks are exact or not read', async () => {
  const random = seededRandom(29);
  const sharp = await needSharp('the test');
  const count = 60;
  let exact = 0;
  for (let i = 0; i < count; i++) {
    const [look, text] = [{ ...segmentLook(random), glow: false }, wordsOf('segments', random)];
    const svg = segmentDrawing(text, look).replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ');
    const { data, info } = await sharp(Buffer.from(svg))
      .flatten({ background: look.ground })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const digits = read({ width: info.width, height: info.height, data });
    if (digits === text) exact++;
    else assert.is(digits, undefined, `${text} ${JSON.stringify(look)}`);
  }
  assert.ok(exact >= 0.9 * count, `${exact} of ${count}`);
});

test('WIN-029 a point that is neither lit nor dark makes a display unreadable, and its digits are not given without it', () => {
  const shown = display({ text: '4.8', height: 40, ink: [255, 60, 40], ground: [20, 0, 0] });
  assert.is(read(shown), '4.8');
  // The point of 4 x 4 pixels at half its light.
  const dim = flat(shown.width, shown.height, [20, 0, 0]);
  dim.data.set(shown.data);
  const point = { x: 10 + 22 + 2 * 4 - 4, y: 8 + 40 - 4 };
  paint(dim, point.x, point.y, 4, 4, [120, 26, 18]);
  assert.is(read(dim), undefined);
  const box = { x0: 0, y0: 0, x1: dim.width, y1: dim.height };
  assert.is(readSegments(dim, box) === undefined, false, 'it is known to be a display');
});

test('WIN-029 a display whose last digit is dim is not read without it', () => {
  for (const text of ['8.88', '101', '4.82', '88'])
    for (const height of [28, 45, 65])
      for (const level of [80, 110, 140, 170]) {
        const last: Color = [level, level, level];
        const pixels = display({ text, height, ink: [250, 250, 250], ground: [10, 10, 10], last });
        const whole = { x0: 0, y0: 0, x1: pixels.width, y1: pixels.height };
        const read = readSegments(pixels, whole);
        assert.ok(read, `${text}, ${height} px, ${level}: a display`);
        assert.ok([text, undefined].includes(read.digits), `${text}, ${height} px, ${level}: ${read.digits}`);
      }
});

for (const text of ['7.0', '8.8', '-3.1', '-0.75', '101.3', '80', '6', '17', '1.7', '71.4', '93', '97', '19'])
  test(`WIN-029 ${text}, of which one segment is dim, is not read without it, nor without a minus that is`, () => {
    const grey = (share: number): Color => [255 * share, 255 * share, 255 * share].map(Math.round) as Color;
    for (const height of [20, 60])
      for (const [unlit, least] of [
        [0, 0.2],
        [0.08, 0.3],
      ] as const)
        for (let share = least; share < 0.75; share += 0.1)
          [...text].forEach((sign, place) => {
            for (const [segment, state] of [...(LIT[sign] ?? '')].entries()) {
              if (state !== '1') continue;
              const colors = { ink: grey(1), ground: grey(0), unlit: grey(unlit) };
              const digits = read(
                display({ text, height, ...colors, dim: { place, segment, color: grey(share) } }),
              );
              const label = `${height} px, segment ${segment} of ${sign} at ${share.toFixed(2)}: ${digits}`;
              assert.ok(digits === undefined || digits === text, label);
            }
          });
  });

test('WIN-029 a display that its box or its picture cuts off is not read without what is missing', () => {
  for (const text of ['80', '4.82', '71', '20.95'])
    for (const height of [20, 48]) {
      const whole = display({ text, height, ink: [255, 255, 255], ground: [0, 0, 0] });
      const parts = Array.from({ length: text.length }, (_, i) => [
        text.slice(i),
        text.slice(0, i + 1),
      ]).flat();
      for (let x = 0; x < whole.width - 16; x++)
        for (const box of [
          { x0: x, y0: 0, x1: whole.width, y1: whole.height },
          { x0: 0, y0: 0, x1: whole.width - x, y1: whole.height },
        ])
          for (const [picture, part] of [
            [whole, box],
            [cropped(whole, box), { x0: 0, y0: 0, x1: box.x1 - box.x0, y1: whole.height }],
          ] as const) {
            const digits = readSegments(picture, part)?.digits;
            assert.ok(
              digits === undefined || parts.includes(digits),
              `${text}, ${height} px, ${JSON.stringify(box)}: ${digits}`,
            );
          }
      for (let y = 0; y < height; y++) {
        const digits = readSegments(whole, { x0: 0, y0: y, x1: whole.width, y1: whole.height })?.digits;
        assert.ok(digits === undefined || digits === text, `${text}, ${height} px, from row ${y}: ${digits}`);
      }
    }
});

test('WIN-029 ink beyond the box counts by the digits, not by the brightest line in the box', () => {
  const picture = display({ text: '80', height: 40, ink: [125, 0, 0], ground: [0, 0, 0] });
  for (const y of [1, picture.height - 2]) paint(picture, 0, y, picture.width, 1, [255, 255, 255]);
  for (let x = 0; x < 34; x++) {
    const digits = readSegments(picture, { x0: x, y0: 0, x1: picture.width, y1: picture.height })?.digits;
    assert.ok([undefined, '80', '0'].includes(digits), `from column ${x}: ${digits}`);
  }
});

test('WIN-029 a minus before the box of its digits makes them unreadable, the digits of another display do not', () => {
  const after = (text: string) => {
    const picture = display({ text, height: 40, ink: [255, 255, 255], ground: [0, 0, 0] });
    return readSegments(picture, { x0: 36, y0: 0, x1: picture.width, y1: picture.height })?.digits;
  };
  assert.is(after('-12.5'), undefined);
  assert.is(after('312.5'), '12.5');
});

test('WIN-029 a bar of the next display, beyond the frame between both, is no minus', () => {
  const [ink, ground, page]: Color[] = [
    [32, 40, 32],
    [180, 192, 164],
    [227, 230, 234],
  ] as const;
  const bars = display({ text: '8-12.5', height: 40, ink, ground });
  const read = (change: (picture: Pixels) => void) => {
    const picture = { ...bars, data: bars.data.slice() };
    change(picture);
    return readSegments(picture, { x0: 70, y0: 0, x1: picture.width, y1: picture.height })?.digits;
  };
  const withLine = (wide: number) =>
    read((picture) => paint(picture, 70 - wide, 0, wide, picture.height, page));
  assert.is(withLine(6), '12.5');
  for (const wide of [0, 1, 2])
    assert.is(withLine(wide), undefined, `a line of ${wide} px parts no displays`);
  const shaded = (share: (x: number) => number) =>
    read(({ width, data }) =>
      data.forEach((value, i) => {
        data[i] = value * share(Math.floor(i / 3) % width);
      }),
    );
  assert.is(
    shaded((x) => (x < 70 ? 0.8 : 1)),
    undefined,
    'the cell of a sign is darker',
  );
  assert.is(
    shaded((x) => Math.min(1, 0.5 + x / 140)),
    undefined,
    'a ground that gets darker',
  );
});

test('WIN-029 two dim segments are not lost beside a 1, nor a dim point before a digit', () => {
  const colors = { ink: [255, 255, 255], ground: [0, 0, 0] } as Pick<Display, 'ink' | 'ground'>;
  for (const height of [24, 40])
    for (const share of [0.2, 0.3, 0.4]) {
      const color: Color = [255 * share, 255 * share, 255 * share];
      const four = display({ ...colors, text: '84', height, dim: { place: 1, segment: [5, 6], color } });
      assert.is(read(four), undefined, `84 of ${height} px at ${share}`);
      const point = display({ ...colors, text: ' 5', height });
      const [wide, thick] = [Math.round(height * 0.56), Math.round(height * 0.11)];
      paint(point, 10 + wide, 8 + height - thick, thick, thick, color);
      assert.is(read(point), undefined, `.5 of ${height} px at ${share}`);
    }
});

test('WIN-029 a 1 whose ends are short is no unit behind the digits', () => {
  for (const height of [18, 27, 39])
    for (const text of ['81', '21', '61']) {
      const picture = display({ text, height, ink: [0, 0, 0], ground: [200, 210, 190], thick: 0.17 });
      const whole = { x0: 0, y0: 0, x1: picture.width, y1: picture.height };
      const reading = readSegments(picture, whole);
      assert.ok(
        [undefined, text].includes(reading?.digits),
        `${text} of ${height} px: ${JSON.stringify(reading)}`,
      );
    }
});

test('WIN-029 a picture of many dots is no display', () => {
  const dots = flat(900, 900, [0, 0, 0]);
  for (let y = 0; y < 900; y += 2) for (let x = 0; x < 900; x += 2) paint(dots, x, y, 1, 1, [255, 255, 255]);
  assert.is(read(dots), undefined);
});

/** A part of a picture, with nothing around it. */
function cropped({ width, data }: Pixels, { x0, y0, x1, y1 }: Box): Pixels {
  const part = flat(x1 - x0, y1 - y0, [0, 0, 0]);
  for (let y = y0; y < y1; y++)
    part.data.set(data.subarray((y * width + x0) * 3, (y * width + x1) * 3), (y - y0) * part.width * 3);
  return part;
}

test('WIN-029 a colon, or a point beside a 1, that is dim makes a display unreadable', () => {
  const [ground, ink] = [
    [0, 0, 0],
    [255, 255, 255],
  ] as [Color, Color];
  for (const height of [20, 40, 60])
    for (const [text, after] of [
      ['1234', 2],
      ['059', 1],
      ['17', 1],
      ['11', 1],
    ] as const)
      for (const share of [0.25, 0.35, 0.45]) {
        const picture = display({ text, height, ink, ground });
        const [wide, thick] = [Math.round(height * 0.56), Math.max(2, Math.round(height * 0.11))];
        const middle = 10 + after * (wide + 2 * thick) - 2 * thick + Math.round(thick / 2);
        const level = Math.round(255 * share);
        const rows = text.length === 2 ? [1 - thick / height] : [0.28, 0.68];
        for (const row of rows)
          paint(picture, middle, 8 + Math.round(row * height), thick, thick, [level, level, level]);
        assert.is(read(picture), undefined, `${text}, ${height} px, ${share}`);
      }
});

test('WIN-029 a word or an icon beside the digits of a display is no minus', () => {
  const shown = display({ text: '4.82', height: 50, ink: [255, 176, 0], ground: [13, 13, 13] });
  const marks: ((picture: Pixels) => void)[] = [
    (picture) => writeText(picture, 6, 26, 'SET', [255, 255, 255]),
    (picture) => writeText(picture, 6, 26, 'P1', [255, 176, 0]),
    (picture) => writeText(picture, 6, 26, 'SET', [255, 176, 0]),
    (picture) => frame(picture, 8, 26, 28, 12, [255, 176, 0], 2),
    (picture) => {
      for (let row = 0; row < 12; row++)
        paint(picture, 8, 26 + row, 26 - 4 * Math.abs(row - 6), 1, [255, 176, 0]);
    },
    (picture) => {
      paint(picture, 10, 28, 20, 3, [255, 176, 0]);
      paint(picture, 10, 35, 20, 3, [255, 176, 0]);
    },
  ];
  marks.forEach((mark, i) => {
    const picture = flat(shown.width + 50, shown.height, [13, 13, 13]);
    for (let y = 0; y < shown.height; y++)
      picture.data.set(
        shown.data.subarray(y * shown.width * 3, (y + 1) * shown.width * 3),
        (y * picture.width + 50) * 3,
      );
    mark(picture);
    const digits = read(picture);
    assert.ok([undefined, '4.82'].includes(digits), `mark ${i}: ${digits}`);
  });
});

test('WIN-029 a point that touches its digit, or that is soft in a narrow gap, is not lost', async () => {
  const sharp = await needSharp('the test');
  const usual = segmentLook(seededRandom(1));
  const red = {
    lit: '#ff2a1a',
    ground: '#140303',
    ghost: 0,
    leadingBlanks: 0,
    roundPoint: true,
    pointApart: false,
  };
  const looks: SegmentLook[] = [
    {
      ...usual,
      ...red,
      height: 102,
      wide: 0.59,
      thick: 0.092,
      gap: 0.0175,
      apart: 0.228,
      slant: 9.3,
      ends: 'square',
      glow: true,
    },
    {
      ...usual,
      ...red,
      height: 25,
      wide: 0.49,
      thick: 0.093,
      gap: 0.02,
      apart: 0.174,
      slant: 8.6,
      ends: 'mitred',
      glow: false,
    },
    {
      ...usual,
      ...red,
      height: 20,
      wide: 0.58,
      thick: 0.077,
      gap: 0.035,
      apart: 0.169,
      slant: 0,
      ends: 'mitred',
      glow: false,
    },
    {
      ...usual,
      ...red,
      height: 16,
      wide: 0.53,
      thick: 0.126,
      gap: 0.019,
      apart: 0.167,
      slant: 10.6,
      ends: 'mitred',
      glow: true,
    },
  ];
  for (const look of looks)
    for (const blur of [0, 0.6, 0.8, 1])
      for (const text of ['-681.507', '4713.72', '322.67', '6.57', '1.1', '123.4']) {
        const svg = segmentDrawing(text, look).replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ');
        const drawing = sharp(Buffer.from(svg)).flatten({ background: look.ground });
        const { data, info } = await (blur > 0 ? drawing.blur(blur) : drawing)
          .raw()
          .toBuffer({ resolveWithObject: true });
        const digits = read({ width: info.width, height: info.height, data });
        assert.ok([text, undefined].includes(digits), `${text}, ${look.height} px, blur ${blur}: ${digits}`);
      }
});

test('WIN-029 a display whose lit and unlit segments are not clearly two groups is unreadable, and known to be a display', () => {
  for (const height of [18, 24, 40, 76])
    for (const text of ['6.5', '4.82', '101.3', '-0.75', '12'])
      for (let share = 0; share <= 0.8; share += 0.05) {
        const level = Math.round(255 * share);
        const picture = display({
          text,
          height,
          ink: [255, 255, 255],
          ground: [0, 0, 0],
          unlit: [level, level, level],
        });
        const digits = read(picture);
        const label = `${text} of ${height} px, unlit ${share.toFixed(2)}: ${digits}`;
        assert.ok(digits === undefined || (digits === text && share < 0.55), label);
        if (share <= 0.3) assert.is(digits, text, label);
        const box = { x0: 0, y0: 0, x1: picture.width, y1: picture.height };
        if (share > 0.5) assert.is.not(readSegments(picture, box), undefined, label);
      }
});

test('WIN-029 a minus that is neither lit nor dark makes a display unreadable, and its digits are not given without it', () => {
  for (const height of [16, 24, 40])
    for (const unlit of [undefined, [30, 30, 30]] as const) {
      const given: (string | undefined)[] = [];
      for (let level = 0; level <= 255; level += 15) {
        const ground: Color = [0, 0, 0];
        const picture = display({
          text: '-12.5',
          height,
          ink: [255, 255, 255],
          ground,
          ...(unlit ? { unlit: [...unlit] as Color } : {}),
        });
        const thick = Math.max(2, Math.round(height * 0.11));
        const half = 8 + Math.round((height - thick) / 2);
        const w = Math.round(height * 0.56);
        paint(picture, 10, half, w, thick, [level, level, level]);
        given.push(read(picture));
      }
      const label = `${height} px, unlit ${unlit}: ${given.join()}`;
      given.forEach((text, i) => {
        const level = i * 15;
        const isDark = level <= (unlit ? 90 : 60);
        assert.ok(text === undefined || text === (isDark ? '12.5' : '-12.5'), label);
      });
      assert.is(given.at(-1), '-12.5', label);
      assert.is(given[unlit ? 2 : 0], '12.5', label);
    }
});

test('WIN-029 digits with gaps between their segments are read although the reader of letters may take them for others', async () => {
  const sharp = await needSharp('the test');
  const looks: [text: string, look: SegmentLook][] = [
    [
      '95',
      {
        height: 26,
        wide: 0.5834,
        thick: 0.1091,
        gap: 0.0227,
        apart: 0.2448,
        slant: 9.5351,
        ends: 'square',
        lit: '#f4f8ff',
        ground: '#10141c',
        ghost: 0,
        glow: true,
        roundPoint: true,
        pointApart: false,
        tails: { six: true, nine: true, seven: false },
        leadingBlanks: 1,
      },
    ],
    [
      '-0.78',
      {
        height: 95,
        wide: 0.5233,
        thick: 0.1517,
        gap: 0.0152,
        apart: 0.3399,
        slant: 6.3674,
        ends: 'mitred',
        lit: '#7dff6a',
        ground: '#101810',
        ghost: 0,
        glow: true,
        roundPoint: false,
        pointApart: false,
        tails: { six: false, nine: true, seven: false },
        leadingBlanks: 0,
      },
    ],
    [
      '92.0',
      {
        height: 49,
        wide: 0.5554,
        thick: 0.1194,
        gap: 0.0274,
        apart: 0.3129,
        slant: 11.2257,
        ends: 'mitred',
        lit: '#ffb000',
        ground: '#1a1000',
        ghost: 0.0407,
        glow: true,
        roundPoint: true,
        pointApart: true,
        tails: { six: true, nine: true, seven: true },
        leadingBlanks: 0,
      },
    ],
  ];
  const reader = new TextReader();
  try {
    for (const [text, look] of looks) {
      const svg = segmentDrawing(text, look).replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ');
      const { data, info } = await sharp(Buffer.from(svg))
        .flatten({ background: look.ground })
        .raw()
        .toBuffer({ resolveWithObject: true });
      const box = { x0: 0, y0: 0, x1: info.width, y1: info.height };
      const found = await reader.read({ width: info.width, height: info.height, data }, [box], 'en');
      if (!found) throw new Error('text recognition is not installed');
      assert.equal(found.texts, [text]);
    }
  } finally {
    await reader.close();
  }
});

test('WIN-029 the digits of a display are one text in its place, beside its name', () => {
  const shown = display({ text: '-10.75', height: 44, ink: [255, 60, 40], ground: [20, 0, 0] });
  const screen = flat(640, 300, [222, 227, 234]);
  const [left, top] = [200, 120];
  for (let y = 0; y < shown.height; y++)
    screen.data.set(
      shown.data.subarray(y * shown.width * 3, (y + 1) * shown.width * 3),
      ((top + y) * screen.width + left) * 3,
    );
  const texts = detect(screen).filter(({ role }) => role === 'text');
  assert.is(texts.length, 1);
  const { box } = texts[0] as (typeof texts)[number];
  assert.is(readSegments(screen, box)?.digits, '-10.75');
});

test('WIN-029 a unit after a number is read as a unit, and words keep their letters', () => {
  for (const [read, shown] of [
    ['0.35 I/min', '0.35 l/min'],
    ['I/min', 'l/min'],
    ['470 Q', '470 Ω'],
    ['4.7 kQ', '4.7 kΩ'],
    ['12 um', '12 µm'],
    ['3 uA', '3 µA'],
    ['FAQ', 'FAQ'],
    ['I/O', 'I/O'],
    ['menu', 'menu'],
    ['http: //rig.local', 'http://rig.local'],
  ] as const)
    assert.is(byNeighbours(read), shown);
});

test('WIN-029 texts in usual type are not taken for segments', async () => {
  const picture = await drawn(makeScreen(seededRandom(3)));
  const elements = detect(picture);
  assert.ok(elements.length >= 10);
  for (const { box } of elements) assert.is(readSegments(picture, box), undefined, JSON.stringify(box));
});

test(
  'WIN-029 a number in a type whose 1 has a long flag or that has a sign before it is never read as the digits of a display',
  async () => {
    const rows = ['Noto Sans', 'Cantarell', 'Liberation Sans Narrow', 'DejaVu Sans'].flatMap((font) =>
      ['11.1', '1.1', '±3.6'].flatMap((text) =>
        [19, 21, 24, 31, 34, 38, 40].map((size) => ({ font, text, size })),
      ),
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="${rows.length * 60}"><rect width="100%" height="100%" fill="#fff"/>${rows.map(({ font, text, size }, i) => `<text x="40" y="${i * 60 + 44}" font-family="${font}" font-size="${size}" fill="#0b57d0">${text}</text>`).join('')}</svg>`;
    const pixels = await drawnSvg(svg);
    const boxes = rows.map(({ size, text }, i) => ({
      x0: 38,
      y0: i * 60 + 42 - Math.round(0.75 * size),
      x1: 44 + Math.round(0.7 * size * text.length),
      y1: i * 60 + 46,
    }));
    const reader = new TextReader();
    try {
      const read = await reader.read(pixels, boxes, 'en', Number.POSITIVE_INFINITY);
      if (!read) throw new Error('text recognition is not installed');
      const wrong = rows.flatMap(({ font, text, size }, i) =>
        [null, text].includes(read.texts[i] ?? null)
          ? []
          : [`${text} in ${font} of ${size} px: ${read.texts[i]}`],
      );
      assert.equal(wrong, []);
    } finally {
      await reader.close();
    }
  },
  { timeoutMs: 240_000 },
);

test.run();
