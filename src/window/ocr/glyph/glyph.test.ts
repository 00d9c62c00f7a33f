import type { Worker } from 'tesseract.js';
import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { drawnSvg } from '../../../test-kit/window/pictures.ts';
import { type TextCrop, textCrop } from '../crop.ts';
import { inkOf } from '../crop-ink.ts';
import { withGases } from '../gases.ts';
import { isLeftOut, isOddlySpelt, isSeen, isUnitLeftOut, lettersAgree } from '../letter-agreement.ts';
import { withLostBlanks } from '../lost-blanks.ts';
import { withSeenRates } from '../rates.ts';
import { isConfirmed, isLikeNumber, isSure, mayBeMeasured, readText } from '../read-text.ts';
import { TextReader } from '../text-reader.ts';
import { isForeign } from './agreement.ts';
import { CLASSES } from './classes.ts';
import { type Measurement, measurementOf } from './measurement.ts';
import { shippedNetwork } from './network.ts';
import { readLine, type SeenLetter, type SeenLine } from './read-line.ts';

const test = suite('numbers letter by letter');
const SLOW = { timeoutMs: 240_000 };

/** A line as the network would see it: each letter sure but for what is said of it. */
function seen(
  text: string,
  unsure: Readonly<Record<number, Record<string, number>>> = {},
): Measurement | undefined {
  const letters: SeenLetter[] = [];
  let x = 0;
  for (const sign of text) {
    if (sign === ' ') {
      x += 12;
      continue;
    }
    const found = new Float32Array(CLASSES.length);
    const own = unsure[letters.length] ?? { [sign]: 0.99 };
    for (const [one, value] of Object.entries(own)) found[CLASSES.indexOf(one)] = value;
    const isNarrow = /[.,:]/.test(sign);
    letters.push({ found, box: { x0: x, y0: isNarrow ? 26 : 8, x1: x + (isNarrow ? 4 : 16), y1: 32 } });
    x += isNarrow ? 8 : 20;
  }
  return measurementOf({ letters, measure: { baseline: 32, height: 24 } });
}

test('WIN-029 a number with its sign, mark, tolerance and unit is one; a word and an unknown unit are none', () => {
  for (const text of [
    '4.82',
    '-12.5 °C',
    '±0.5 %',
    '1,5 bar',
    '4.8 ± 0.1 kPa',
    '30 l/min',
    '4.7 kΩ',
    '12 µm',
    '14:05:59',
  ])
    assert.is(seen(text)?.text, text);
  for (const text of ['Pump', 'Step 3 of 12', '12.5 zz', '1.2.', '.5'])
    assert.is(seen(text), undefined, text);
});

test('WIN-029 a 7 too narrow to have its bar makes the number unsure: it may be a 1 with a long flag', () => {
  const line = (width: number) => ({
    letters: [...'87.0'].map((sign, i): SeenLetter => {
      const found = new Float32Array(CLASSES.length);
      found[CLASSES.indexOf(sign)] = 0.99;
      const own = sign === '7' ? width : sign === '.' ? 4 : 16;
      return { found, box: { x0: i * 22, y0: sign === '.' ? 26 : 8, x1: i * 22 + own, y1: 32 } };
    }),
    measure: { baseline: 32, height: 24 },
  });
  assert.ok((measurementOf(line(15))?.all ?? 0) > 0.9);
  for (const narrow of [10, 13]) assert.ok((measurementOf(line(narrow))?.all ?? 1) < 0.1, `${narrow}`);
});

test('WIN-029 a narrow 7 with a bar along its top is one, and a 1 with a long flag has no bar', async () => {
  const shapes = {
    7: '<path d="M20 20H32V24L26 48H21L27 24H20Z"/>',
    1: '<path d="M27 20H31V48H27V27L20 32V28Z"/>',
  };
  const has = async (shape: string): Promise<boolean | undefined> => {
    const picture = await drawnSvg(
      `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="70"><rect width="80" height="70" fill="#fff"/>${shape}<path d="M40 20H54V48H40Z"/></svg>`,
    );
    const crop = textCrop(picture, { x0: 10, y0: 10, x1: 70, y1: 60 });
    return crop && readLine(inkOf(crop.picture), shippedNetwork())?.letters[0]?.hasBar;
  };
  assert.is(await has(shapes[7]), true);
  assert.is(await has(shapes[1]), false);
  const number = (hasBar: boolean): number =>
    allOf(
      placed(
        [
          ['7', 4, 10],
          ['.', 4, 4],
          ['0', 4, 16],
        ],
        { hasBar },
      ),
    );
  assert.ok(number(true) > 0.9);
  assert.ok(number(false) < 0.1);
});

test('WIN-029 a number with a unit, a sign or a tolerance lacks no mark where it has one; a version and a whole number may', () => {
  const digits = [
    ['4', 4, 16],
    ['0', 4, 16],
  ] as const;
  const mark = [
    ['.', 4, 4],
    ['5', 4, 16],
  ] as const;
  const more = { mayHoldMark: true };
  assert.ok(allOf(placed([...digits, ...mark], more)) < 0.1, 'may be 4.0.5');
  assert.ok(allOf(placed([...digits, ['V', 12, 16]], more)) < 0.1, 'may be 4.0 V');
  assert.ok(allOf(placed([...digits, ...mark, ['V', 12, 16]], more)) > 0.9);
  const signed = placed([['-', 4, 10], ...digits, ...mark]);
  signed.letters[1] = { ...(signed.letters[1] as SeenLetter), mayHoldMark: true };
  assert.ok(allOf(signed) > 0.9);
  const tolerance = [
    ['±', 12, 16],
    ['1', 12, 8],
  ] as const;
  assert.ok(allOf(placed([...digits, ...mark, ...tolerance, ['V', 12, 16]], more)) > 0.9);
  const long = placed([['7', 4, 16], ...mark, ['4', 4, 16], ['1', 4, 16], ['5', 4, 16], ['V', 12, 16]], more);
  assert.ok(allOf(long) < 0.1, 'may be 7.541.5 V');
  const thousands = placed([...digits, ...digits, ...mark, ['V', 12, 16]], more);
  assert.ok(allOf(thousands) > 0.9, 'what it may have lost parts its thousands');
  const unsure = ['.', 4, 4, { '.': 0.6 }] as const;
  assert.ok(allOf(placed([...digits, unsure, ['5', 4, 16], ['V', 12, 16]], more)) < 0.1, 'an unsure mark');
});

test('WIN-029 two strokes with ground between them are no degree', () => {
  const line = (isParted: boolean) => {
    const { letters, measure } = placed([
      ['5', 4, 16],
      ['°', 4, 8],
    ]);
    return measurementOf({
      letters: letters.map((one, i) => (i === 1 ? { ...one, isParted } : one)),
      measure,
    });
  };
  assert.is(line(false)?.text, '5°');
  assert.is(line(true), undefined);
});

test('WIN-029 the strokes of a quote are parted, a ring and a 5 are not', async () => {
  const picture = await drawnSvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="#fff"/><g font-family="DejaVu Sans" font-size="24"><text x="20" y="40">5&quot;</text></g></svg>',
  );
  const ring = await drawnSvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="#fff"/><g font-family="DejaVu Sans" font-size="24"><text x="20" y="40">5°</text></g></svg>',
  );
  const parted = (pixels: typeof picture) => {
    const crop = textCrop(pixels, { x0: 14, y0: 14, x1: 70, y1: 50 });
    return crop && readLine(inkOf(crop.picture), shippedNetwork())?.letters.map(({ isParted }) => isParted);
  };
  assert.equal(parted(picture), [false, true]);
  assert.equal(parted(ring), [false, false]);
});

test('WIN-029 a naught before another digit is no O: O2 is no 02', () => {
  const line = (found: Record<string, number>) =>
    placed([
      ['0', 4, 16, found],
      ['2', 4, 16],
    ]);
  assert.ok(allOf(line({ '0': 0.97 })) > 0.9);
  assert.ok(allOf(line({ O: 0.97 })) < 0.1);
});

test('WIN-029 what may be a digit or a mark as well makes the number unsure', () => {
  const sure = seen('1.2 bar');
  assert.ok(sure && sure.all > 0.9);
  const point = seen('1.2 bar', { 1: { '.': 0.5, ',': 0.45 } });
  assert.ok(!point || point.all < 0.6);
  const digit = seen('1.2 bar', { 2: { '2': 0.5, '7': 0.48 } });
  assert.ok(!digit || digit.all < 0.6);
  const unit = seen('30 l/min', { 2: { l: 0.5, '1': 0.5 } });
  assert.ok(!unit || unit.all <= 0.5, 'a litre a minute is no revolution a minute');
});

test('WIN-029 digits that are confirmed do not confirm a sign or a unit that is unsure', () => {
  const confirmed = (
    text: string,
    unsure: Readonly<Record<number, Record<string, number>>>,
    other: string,
  ): string | undefined => {
    const one = seen(text, unsure);
    return one && isConfirmed(one, other) ? one.text : undefined;
  };
  const sign = { 0: { '±': 0.5, '+': 0.45 } };
  assert.is(confirmed('±0.5 bar', sign, '+0.5 bar'), undefined);
  assert.is(confirmed('±0.5 bar', sign, '0.5 bar'), undefined);
  assert.is(confirmed('±0.5 bar', sign, '±0.5 bar'), '±0.5 bar', 'both readers have the sign');
  assert.is(confirmed('4.8 ± 0.1 bar', { 3: { '±': 0.5, '+': 0.45 } }, '4.8 + 0.1 bar'), undefined);
  assert.is(confirmed('-2.5 bar', { 2: { '.': 0.6 } }, '2.5 ber'), '-2.5 bar', 'sure sign and unit');
  assert.is(confirmed('30 1/min', { 2: { '1': 0.5, l: 0.45 } }, '30 1/min'), undefined);
  assert.is(confirmed('30 1/min', { 2: { '1': 0.6, l: 0.1 } }, '30 1/min'), undefined);
  assert.is(confirmed('30l', { 2: { '1': 0.5, l: 0.45 } }, '301'), undefined);
  assert.is(confirmed('5 mV', { 1: { m: 0.5, M: 0.3 } }, '5 MV'), undefined);
});

test('WIN-029 a unit that both readers have is confirmed, also where one of them takes a ± for a +', () => {
  const number = seen('±7.6 rpm', { 4: { r: 0.5, t: 0.2 } });
  assert.ok(number && isConfirmed(number, '+7.6 rpm'));
  for (const other of ['+7.6 tpm', '+7.6 pm', '+7.6', '+7.8 rpm', '-7.6 rpm', '+7.6 mrpm'])
    assert.not(number && isConfirmed(number, other), other);
  const sign = seen('±7.6 rpm', { 0: { '±': 0.6, '+': 0.4 } });
  assert.not(sign && isConfirmed(sign, '+7.6 rpm'), 'a sign that is unsure');
  const unsigned = seen('7.6 rpm', { 3: { r: 0.5, t: 0.2 } });
  assert.ok(unsigned && isConfirmed(unsigned, '7.6 rpm'));
  for (const other of ['±7.6 rpm', '+7.6 rpm', '<7.6 rpm', '7 .6 rpm x'])
    assert.not(unsigned && isConfirmed(unsigned, other), `a sign of the other alone: ${other}`);
  const stroke = seen('±7.6 l', { 4: { l: 0.6, '/': 0.3 } });
  assert.not(stroke && isConfirmed(stroke, '+7.6 l'), 'a stroke');
});

test('WIN-029 a unit that is sure is kept when the recognizer of lines takes its l for a 1 or an I', () => {
  const flow = seen('30 l/min', { 2: { l: 0.75, '1': 0.12 } });
  for (const other of ['301/min', '30 I/min', '30 Umin', '30l/min'])
    assert.ok(flow && isConfirmed(flow, other), other);
  for (const other of ['3 1/min', '301 l/min', '3.0 l/min'])
    assert.not(flow && isConfirmed(flow, other), other);
});

test('WIN-029 a time has all its digits in both readings, and no sign or unit is confirmed by another one', () => {
  const zero = { 1: { '0': 0.7 } };
  const five = { 0: { '5': 0.7 } };
  for (const [text, unsure, other] of [
    ['30 s', zero, '301s'],
    ['30s', zero, '301s'],
    ['301s', zero, '30 s'],
    ['5 h', five, '51h'],
    ['5 min', five, '51min'],
    ['4.5 s', { 2: { '5': 0.7 } }, '4.51s'],
    ['4.51s', { 2: { '5': 0.7 } }, '4.5 s'],
    ['-5 mV', { 0: { '-': 0.85 } }, '5 mV'],
    ['5 mV', { 1: { m: 0.85 } }, '-5 mV'],
    ['5 mV', { 1: { m: 0.85 } }, '5 MV'],
    ['5 mbar', { 1: { m: 0.85 } }, '5 bar'],
    ['1 1/min', { 1: { '1': 0.81, l: 0.19 } }, '1 l/min'],
  ] as const) {
    const number = seen(text, unsure);
    assert.not(number && isConfirmed(number, other), `${text} by ${other}`);
    if (text !== '1 1/min') assert.ok(number && isConfirmed(number, text), `${text} by itself`);
  }
});

test('WIN-029 no confirmation makes a digit sure that may be two letters, or a mark that may be the other one', () => {
  const digit = seen('430', { 1: { '3': 0.58 } });
  assert.not(digit && isConfirmed(digit, '430'));
  for (const mark of [
    { '.': 0.48, ',': 0.47 },
    { '.': 0.68, ',': 0.31 },
  ]) {
    const number = seen('9.3 mm/s', { 1: mark });
    assert.not(number && isConfirmed(number, '9.3 mm/s'), `${mark[',']}`);
  }
});

/** Letters at their places; each is sure but for what is said of it. */
function placed(
  letters: readonly (readonly [sign: string, gap: number, width: number, found?: Record<string, number>])[],
  more: Partial<SeenLetter> = {},
): SeenLine {
  let x = 0;
  return {
    letters: letters.map(([sign, gap, width, own = { [sign]: 0.99 }], i) => {
      const found = new Float32Array(CLASSES.length);
      for (const [one, value] of Object.entries(own)) found[CLASSES.indexOf(one)] = value;
      const box = { x0: x + gap, y0: /[.,]/.test(sign) ? 26 : 8, x1: x + gap + width, y1: 32 };
      x = box.x1;
      return { found, box, ...(i === 0 ? more : {}) };
    }),
    measure: { baseline: 32, height: 24 },
  };
}

const allOf = (line: SeenLine): number => measurementOf(line)?.all ?? 0;

test('WIN-029 a blank between digits, also a narrow one, is none of one number; the ground beside a 1 is no blank', () => {
  const line = (digits: string, gaps: readonly number[], pitch = 20, wide = 8): SeenLine => {
    let middle = 10;
    const letters = [...digits].map((sign, i): SeenLetter => {
      const found = new Float32Array(CLASSES.length);
      found[CLASSES.indexOf(sign)] = 0.99;
      if (i > 0) middle += pitch + (gaps[i - 1] as number);
      const half = sign === '1' ? 4 : wide;
      return { found, box: { x0: middle - half, y0: 8, x1: middle + half, y1: 32 } };
    });
    return { letters, measure: { baseline: 32, height: 24 } };
  };
  assert.is(measurementOf(line('38', [8], 15, 6)), undefined, 'condensed type');
  assert.is(measurementOf(line('38', [0], 15, 6))?.text, '38', 'condensed type');
  for (const narrow of [8, 10, 12]) {
    assert.is(measurementOf(line('1234', [0, narrow, 0])), undefined, `${narrow} more`);
    assert.is(measurementOf(line('74', [narrow])), undefined, `${narrow} more, alone`);
    assert.is(measurementOf(line('1013', [narrow, 0, 0])), undefined, `${narrow} more, behind a 1`);
  }
  assert.is(measurementOf(line('1112', [0, 0, 0]))?.text, '1112');
  assert.is(measurementOf(line('47', [0], 24))?.text, '47', 'type of one width');
});

test('WIN-029 where two digits stand no farther apart than others no mark is lost between them or beside one', () => {
  const line = (digits: string, wide: number, more: Partial<SeenLetter>, at: number): SeenLine => {
    const { letters, measure } = placed([...digits].map((sign, i) => [sign, i === at + 1 ? wide : 5, 14]));
    return { letters: letters.map((one, i) => (i === at ? { ...one, ...more } : one)), measure };
  };
  for (const more of [{ after: 45 }, { mayHoldMark: true }]) {
    assert.ok(allOf(line('7937', 5, more, 1)) > 0.9, 'as near as the others');
    assert.ok(allOf(line('7937', 12, more, 1)) < 0.1, 'half a mark farther');
    assert.ok(allOf(line('79', 5, more, 0)) < 0.1, 'nothing to compare with');
  }
  assert.ok(allOf(line('793', 5, { mayHoldMark: true }, 0)) < 0.1, 'a mark before the first digit');
});

test('WIN-029 a number without a mark is unsure where one may touch its digits: 12.5 is no 125', () => {
  const line = (signs: string, more: Partial<SeenLetter>, gap = 5): SeenLine => {
    const { letters, measure } = placed([...signs].map((sign) => [sign, gap, /[.,]/.test(sign) ? 4 : 16]));
    return { letters: letters.map((one, i) => (i === 1 ? { ...one, ...more } : one)), measure };
  };
  for (const text of ['125', '8125', '-125'])
    assert.ok(allOf(line(text, { foot: 160 })) < 0.1, `${text}: ink between the feet`);
  assert.ok(allOf(line('125', { foot: 80 })) > 0.9, 'faint ink where the digits stand no farther apart');
  assert.ok(allOf(line('12.5', { foot: 160 })) > 0.9, 'it has a mark');
  const touching = (digits: string, wide: number) => {
    const { letters, measure } = placed([...digits].map((sign) => [sign, 0, wide]));
    return { letters: letters.map((one) => ({ ...one, apart: 0 })), measure };
  };
  assert.ok(allOf(touching('59', 19)) < 0.1, 'two that touch, as far apart as a mark holds them');
  assert.ok(allOf(touching('59', 16)) > 0.9, 'two that touch');
  assert.ok(allOf(touching('085', 16)) < 0.1, 'a naught that touches the next digit');
});

test('WIN-029 ink beside the feet of two digits is seen where a point touches one, and none in a serif or the foot of a 2', async () => {
  const nine = 'M20 20H36V48H20V44H32V36H20Z';
  const shapes = {
    none: `${nine}M42 20H58V48H42Z`,
    point: `${nine}M35 42H41V48H35Z M44 20H60V48H44Z`,
    serif: 'M24 20H29V44H34V48H19V44H24Z M40 20H56V48H40Z',
    two: `${nine}M42 20H58V34L48 44H58V48H40V44L52 33V24H42Z`,
  };
  const footOf = async (shape: string): Promise<number> => {
    const picture = await drawnSvg(
      `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="70"><rect width="80" height="70" fill="#fff"/><path d="${shape}"/></svg>`,
    );
    const crop = textCrop(picture, { x0: 10, y0: 10, x1: 70, y1: 60 });
    return (crop && readLine(inkOf(crop.picture), shippedNetwork())?.letters[0]?.foot) ?? -1;
  };
  assert.ok((await footOf(shapes.point)) > 110);
  for (const name of ['none', 'serif', 'two'] as const) assert.is(await footOf(shapes[name]), 0, name);
});

test(
  'WIN-029 two numbers beside each other, and a score, are read as they are or not at all',
  async () => {
    const reader = new TextReader();
    const texts = ['12 34', '7 4', '1 013', '4.1 7.1', '3:8', '8:3', '12:8', '11 11'];
    const wrong: string[] = [];
    try {
      for (const font of ['DejaVu Sans', 'DejaVu Sans Mono', 'Liberation Sans', 'DejaVu Serif'])
        for (const size of [12, 14, 16, 20, 24]) {
          const high = 3 * size;
          const lines = texts.map((text, i) => `<text x="20" y="${i * high + 2 * size}">${text}</text>`);
          const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="${texts.length * high}"><rect width="100%" height="100%" fill="#fff"/><g font-family="${font}" font-size="${size}" fill="#222">${lines.join('')}</g></svg>`;
          const boxes = texts.map((_, i) => ({
            x0: 14,
            y0: i * high + size - 2,
            x1: 22 + size * 6,
            y1: i * high + Math.round(2.4 * size),
          }));
          const read = await reader.read(await drawnSvg(svg), boxes, 'en');
          texts.forEach((text, i) => {
            const own = read?.texts[i] ?? null;
            if (own !== null && own !== text) wrong.push(`${font} ${size}: ${text} as ${own}`);
          });
        }
    } finally {
      await reader.close();
    }
    assert.equal(wrong, []);
  },
  SLOW,
);

test('WIN-029 the same digit wider than elsewhere in its number makes it unsure: a mark may touch it', () => {
  const line = (wide: number) =>
    placed([
      ['7', 4, 16],
      ['7', 4, wide],
      ['.', 4, 4],
      ['1', 4, 16],
    ]);
  assert.ok(allOf(line(17)) > 0.9);
  assert.ok(allOf(line(21)) < 0.1);
});

test('WIN-029 a digit wider than all others of its number makes it unsure: a mark may touch it', () => {
  const line = (wide: number) =>
    placed([
      ['6', 4, 16],
      ['4', 4, wide],
      ['0', 4, 16],
      ['5', 4, 15],
    ]);
  assert.ok(allOf(line(18)) > 0.9);
  assert.ok(allOf(line(23)) < 0.1);
});

test('WIN-029 a digit that a mark may be a part of makes the number unsure', () => {
  const digits = [
    ['4', 4, 16],
    ['0', 4, 16],
  ] as const;
  assert.ok(allOf(placed(digits)) > 0.9);
  assert.ok(allOf(placed(digits, { mayHoldMark: true })) < 0.1);
});

test('WIN-029 a 1 at the end that stands apart makes the number unsure: it may be a litre', () => {
  const line = (gap: number) =>
    placed([
      ['8', 4, 16],
      ['8', 4, 16],
      ['.', 4, 4],
      ['5', 4, 16],
      ['1', gap, 8, { '1': 0.92, l: 0.06 }],
    ]);
  assert.ok(allOf(line(4)) > 0.8);
  assert.ok(allOf(line(9)) < 0.1);
});

test('WIN-029 a 1 close behind digits is no revolution a minute', () => {
  const line = (gap: number) =>
    placed([['3', 4, 16], ['0', 4, 16], ['1', gap, 8], ...[...'/min'].map((sign) => [sign, 3, 12] as const)]);
  assert.is(measurementOf(line(12))?.text, '30 1/min');
  assert.is(measurementOf(line(5)), undefined);
});

test('WIN-029 letters of a unit may stand apart, less far than it does from its number', () => {
  const line = (gap: number) =>
    placed([['5', 4, 16], ['l', 16, 6], ...[...'/min'].map((sign) => [sign, gap, 12] as const)]);
  assert.is(measurementOf(line(8))?.text, '5 l/min');
  assert.is(measurementOf(line(14)), undefined);
});

test('WIN-029 a Z is no 2, an S no 5 and a B no 8: a 7 with a point at its foot looks like a Z', () => {
  for (const sign of 'ZSB')
    assert.is(
      allOf(
        placed([
          ['1', 4, 12],
          [sign, 4, 16],
          ['4', 4, 16],
        ]),
      ) > 0.1,
      false,
      sign,
    );
});

test('WIN-029 a narrow 7 is sure where the other digits of its number are as narrow', () => {
  const line = (others: number) =>
    placed([
      ['2', 4, others],
      ['7', 4, 12],
      ['0', 4, others],
    ]);
  assert.ok(allOf(line(12)) > 0.9);
  assert.ok(allOf(line(15)) < 0.1);
});

test('WIN-029 a degree may stand before its C as far as letters do not', () => {
  const line = (gap: number) =>
    placed([
      ['5', 4, 16],
      ['8', 4, 16],
      ['°', 5, 8],
      ['C', gap, 16],
    ]);
  assert.is(measurementOf(line(9))?.text, '58°C');
  assert.is(measurementOf(line(14)), undefined);
});

test('WIN-029 a blank before a unit is wider than the gaps in its number', () => {
  const text = (unit: string, within: number, gap: number) =>
    measurementOf(
      placed([
        ['5', 4, 16],
        ['8', within, 16],
        [unit, gap, 16],
      ]),
    )?.text;
  assert.is(text('%', 4, 10), '58 %');
  assert.is(text('%', 8, 9), '58%');
  assert.is(text('V', 4, 8), '58 V');
  assert.is(text('V', 4, 5), '58V');
});

test('WIN-029 a blank before a unit that is as wide as none, or a slanted one, is unsure and needs a reader that has it', () => {
  const number = (gap: number, apart: number) => {
    const { letters, measure } = placed([
      ['5', 4, 16],
      ['8', 2, 16],
      ['g', gap, 16],
    ]);
    return measurementOf({
      letters: letters.map((letter, i) => ({ ...letter, apart: i === 0 ? 2 : apart })),
      measure,
    });
  };
  const [none, slanted, blank] = [number(3, 3), number(4, 9), number(9, 9)];
  assert.equal([none?.text, none?.isBlankUnsure], ['58g', false]);
  assert.equal([slanted?.text, slanted?.isBlankUnsure], ['58 g', true]);
  assert.equal([blank?.text, blank?.isBlankUnsure], ['58 g', false]);
  assert.ok(slanted && isConfirmed(slanted, '58 g'));
  for (const other of ['58g', '5 8 g', '58 9', '5 8g'])
    assert.not(slanted && isConfirmed(slanted, other), other);
  assert.ok(blank && isConfirmed(blank, '58g'));
});

test('WIN-029 a gap before a unit that is wider than any in its number, and narrower than a blank, is unsure', () => {
  const number = (digits: string, gap: number) =>
    measurementOf(placed([...[...digits].map((sign) => [sign, 1, 16] as const), ['A', gap, 16]]));
  assert.is(number('5368', 4.5)?.isBlankUnsure, true);
  assert.is(number('5368', 3)?.isBlankUnsure, false);
  assert.is(number('5361', 4.5)?.isBlankUnsure, false, 'the ground beside a 1');
  const read = number('5368', 4.5);
  assert.not(read && isConfirmed(read, '5368A'));
  assert.ok(read && isConfirmed(read, '5368 A'));
});

test('WIN-029 the other reader confirms no minus that may be a tilde', () => {
  const minus = placed(
    [
      ['-', 4, 12],
      ['1', 4, 10],
      ['2', 4, 16],
    ],
    { isWavy: true },
  );
  minus.letters[0] = { ...(minus.letters[0] as SeenLetter), box: { x0: 4, y0: 18, x1: 16, y1: 21 } };
  const read = measurementOf(minus);
  assert.not(read && isConfirmed(read, '-12'));
});

test('WIN-029 a unit with a 1 that may be an l is sure only where the 1 is', () => {
  const number = (one: number) => seen('12.6 1/min', { 4: { '1': one, l: 0.99 - one } }) as Measurement;
  assert.is(number(0.9).text, '12.6 1/min');
  assert.not(isSure(number(0.9)));
  assert.not(isConfirmed(number(0.9), '12.6 1/min'));
  assert.ok(isSure(number(0.98)));
});

test('WIN-029 a small tilde, whose middle is higher than its two alike ends, is no minus', async () => {
  const isWavy = async (shape: string): Promise<boolean | undefined> => {
    const picture = await drawnSvg(
      `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="70"><rect width="80" height="70" fill="#fff"/><path d="${shape}M40 20H54V48H40Z"/></svg>`,
    );
    const crop = textCrop(picture, { x0: 10, y0: 10, x1: 70, y1: 60 });
    return crop && readLine(inkOf(crop.picture), shippedNetwork())?.letters[0]?.isWavy;
  };
  assert.is(await isWavy('M18 33H22V32H30V33H34V36H30V35H22V36H18Z'), true);
  assert.is(await isWavy('M18 33H34V36H18Z'), false);
});

test('WIN-029 two digits alone that stand as far apart as in type of one width need a second reader', () => {
  const pair = (digits: string, apart: number) => {
    const { letters, measure } = placed(
      [...digits].map((sign, i) => [sign, i === 0 ? 4 : apart, 14] as const),
    );
    return measurementOf({ letters: letters.map((letter) => ({ ...letter, apart })), measure });
  };
  assert.equal([pair('38', 5)?.text, pair('38', 5)?.isBlankUnsure], ['38', false]);
  const far = pair('38', 8);
  assert.equal([far?.text, far?.isBlankUnsure], ['38', true]);
  assert.ok(far && isConfirmed(far, '38'));
  assert.not(far && isConfirmed(far, '3 8'));
  assert.is(pair('381', 8)?.isBlankUnsure, false, 'others to compare with');
  assert.is(pair('31', 8)?.isBlankUnsure, false, 'a 1 has ground beside it');
});

test('WIN-029 a Q is no 0', () => {
  const read = (sign: string) =>
    allOf(
      placed([
        [sign, 4, 16],
        ['1', 4, 8],
        ['l', 10, 6],
      ]),
    );
  assert.ok(read('0') > 0.9);
  assert.ok(read('Q') < 0.1);
});

test('WIN-029 a blank at one side of a ± alone is unsure', () => {
  const number = (before: number, behind: number) =>
    measurementOf(
      placed([
        ['8', 4, 16],
        ['±', before, 16],
        ['3', behind, 16],
        ['V', 10, 16],
      ]),
    );
  for (const [before, behind, text, isUnsure] of [
    [10, 10, '8 ± 3 V', false],
    [3, 3, '8±3 V', false],
    [10, 3, '8 ± 3 V', true],
    [3, 10, '8 ± 3 V', true],
  ] as const) {
    const read = number(before, behind);
    assert.equal([read?.text, read?.isBlankUnsure], [text, isUnsure], `${before} ${behind}`);
  }
});

/** A line of letters that stand so many columns behind the one before. */
const lineOf = (signs: string, gaps: readonly number[] = [], widths: readonly number[] = []): SeenLine => {
  const { letters, measure } = placed(
    [...signs].map((sign, i) => [sign, gaps[i] ?? 3, widths[i] ?? 12] as const),
  );
  return {
    letters: letters.map((letter, i) => ({ ...letter, apart: gaps[i + 1] ?? 3 })),
    measure,
  };
};

test('WIN-029 a blank that the recognizer of lines has lost is there where letters stand clearly apart', () => {
  for (const [signs, gaps, text, shown] of [
    ['Login', [3, 3, 3, 11, 3], 'Login', 'Log in'],
    ['Login', [3, 3, 3, 3, 3], 'Login', 'Login'],
    ['Login', [3, 3, 5.6, 11, 3], 'Login', 'Login'],
    ['Login', [3, 3, 3, 7, 3], 'Login', 'Login'],
    ['Stop3of7', [3, 3, 3, 3, 11, 11, 3, 11], 'Stop 3of 7', 'Stop 3 of 7'],
    ['Stop3of7', [3, 3, 3, 3, 11, 11, 3, 11], 'Stop 3of7', 'Stop 3 of 7'],
    ['Stop3of7', [3, 3, 3, 3, 11, 11, 6, 11], 'Stop3of7', 'Stop3of7'],
    ['AI01', [3, 11, 11, 11], 'AI01', 'AI01'],
    ['Flowms', [3, 9, 9, 9, 20, 9], 'Flow ms', 'Flow ms'],
    ['Toolla', [3, 3, 3, 3, 11, 3], 'Toolla', 'Toolla'],
    ['Ch.14', [3, 3, 3, 11, 3], 'Ch.14', 'Ch. 14'],
    ['v2.14', [3, 3, 3, 11, 3], 'v2.14', 'v2.14'],
    ['Save:', [3, 3, 3, 3, 11], 'Save:', 'Save:'],
    ['Tank27', [3, 3, 3, 3, 11, 11], 'Tank 27', 'Tank 27'],
    ['Login', [3, 3, 3, 11, 3], 'Log1in', 'Log1in'],
    ['AtoB', [3, 11, 3, 11], 'AtoB', 'A to B'],
    ['B2of3', [3, 11, 11, 3, 11], 'B2of3', 'B 2 of 3'],
    ['Flow:-4', [3, 3, 3, 3, 3, 12, 3], 'Flow:-4', 'Flow: -4'],
    ['Flow-on', [3, 3, 3, 3, 12, 3, 3], 'Flow-on', 'Flow-on'],
  ] as const)
    assert.is(withLostBlanks(lineOf(signs, gaps), text), shown, `${text} ${gaps}`);
  const wide = lineOf('AtoBin', [3, 11, 3, 11, 3, 3], [12, 24, 24, 12, 6, 12]);
  assert.is(withLostBlanks(wide, 'AtoBin'), 'A to Bin', 'letters of many widths');
  const spaced = lineOf('AVOmen', [3, 10, 10, 10, 10, 10], [18, 18, 10, 20, 12, 12]);
  assert.is(withLostBlanks(spaced, 'AVOmen'), 'AVOmen', 'letters that are spaced apart');
  const read = lineOf('Tankabcd', [3, 3, 3, 3, 9, 3, 20, 3], [18, 10, 12, 16, 8, 14, 10, 12]);
  assert.is(withLostBlanks(read, 'Tankab cd'), 'Tankab cd', 'far narrower than a blank that was read');
  assert.is(withLostBlanks(read, 'Tankabcd'), 'Tankab cd', 'as wide as that one');
});

test('WIN-029 a blank that was lost is found in a text of few letters, and at an l, an i or a 1', () => {
  for (const [signs, gaps, text, shown] of [
    ['AtoE', [3, 10, 2, 13], 'Ato E', 'A to E'],
    ['PtoT', [3, 11, 2, 16], 'PtoT', 'P to T'],
    ['OnAB', [3, 2, 8, 8], 'On AB', 'On A B'],
    ['ItoE', [3, 11, 1, 11], 'Ito E', 'I to E'],
    ['Line1of2', [3, 2, 2, 2, 12, 12, 2, 12], 'Line1of 2', 'Line 1 of 2'],
    ['V1V2', [3, 2, 8, 2], 'V1V2', 'V1V2'],
    ['AtoE', [3, 5, 2, 13], 'Ato E', 'Ato E'],
  ] as const)
    assert.is(withLostBlanks(lineOf(signs, gaps), text), shown, `${text} ${gaps}`);
  const even = lineOf('Edit', [3, 6, 6, 6], [12, 12, 12, 12]);
  assert.is(withLostBlanks(even, 'Edi t'), 'Edit', 'a blank where no letters stand apart');
  assert.is(withLostBlanks(lineOf('Edit', [3, 6, 6, 9]), 'Edi t'), 'Edi t');
  const oneWidth = lineOf('fillA', [3, 10, 10, 10, 6.5], [8, 8, 8, 8, 15]);
  assert.is(withLostBlanks(oneWidth, 'fillA'), 'fillA', 'type of one width');
});

test('WIN-029 a blank between two digits 1 that may be one number makes the text doubtful', () => {
  for (const [gap, isTold] of [
    [9, false],
    [18, true],
  ] as const)
    assert.is(
      lettersAgree(lineOf('Rate11', [3, 3, 3, 3, 20, gap]), 'Rate 1 1'),
      isTold,
      `${gap} columns beside letters of 24 rows`,
    );
});

test('WIN-029 a word and a number close to each other are doubtful where all other letters touch', () => {
  const line = lineOf('Step3of12', [3, 0, 0, 0, 8, 8, 0, 5, 0]);
  assert.not(lettersAgree(line, 'Step 3 of12'));
  assert.ok(lettersAgree(line, 'Step 3 of 12'));
  assert.ok(lettersAgree(lineOf('eth0', [3, 2, 2, 5]), 'eth0'), 'other letters stand apart too');
});

test('WIN-029 two letters that touch, two words in one and signs that differ by a stroke make a text doubtful', () => {
  for (const [own, text] of [
    ['lluminate', 'Muminate'],
    ['flyck', 'Myck'],
    ['CyIindrChannel', 'CylinderChannel'],
    ['Overview', 'Qverview'],
    ['Lung0', 'Lung O'],
    ['No,thanks', 'No. thanks'],
  ] as const)
    assert.not(lettersAgree(lineOf(own), text), text);
  for (const [own, text] of [
    ['VVill', 'Will'],
    ['-Start', 'Start'],
    ['maxPower', 'maxPower'],
    ['T0ols', 'TOols'],
  ] as const)
    assert.ok(lettersAgree(lineOf(own), text), text);
  const brackets = placed([...'(off)'].map((sign) => [sign, 3, 12, { [sign]: 0.8 }]));
  assert.not(lettersAgree(brackets, '[off]'));
  assert.ok(lettersAgree(brackets, '(off)'));
});

test('WIN-029 a letter that was taken for an icon is none: a stroke as high as the digits, or a sure letter', () => {
  const line = (sign: string, y0: number, y1: number): SeenLine => {
    const { letters, measure } = placed([[sign, 3, 6], ...[...'toE'].map((one) => [one, 9, 12] as const)]);
    const [first, ...more] = letters as [SeenLetter, ...SeenLetter[]];
    return { letters: [{ ...first, box: { ...first.box, y0, y1 } }, ...more], measure };
  };
  assert.ok(isLeftOut(line('I', 8, 32), 0));
  assert.ok(isLeftOut(line('P', 8, 32), 0));
  assert.not(isLeftOut(line('I', 4, 36), 0), 'a bar that reaches beyond the letters');
  assert.not(isLeftOut(line('x', 8, 32), 0), 'a cross');
});

test('WIN-029 a text that two readers read otherwise is doubtful: another letter, a lost blank, a part', () => {
  const line = lineOf;
  assert.ok(lettersAgree(line('above'), 'above'));
  assert.not(lettersAgree(line('above'), 'zbove'));
  assert.not(lettersAgree(line('(closed)'), '[closed]'));
  for (const [own, other] of [
    ['OK', '0K'],
    ['lnlet', 'Inlet'],
    ['Will', 'WiII'],
    ['cup', 'Cup'],
    ['info0x', 'info@x'],
  ] as const)
    assert.ok(lettersAgree(line(own), other), `${own} ${other}`);
  const wide = [3, 3, 3, 11, 3];
  assert.not(lettersAgree(line('Login', wide), 'Login'));
  assert.ok(lettersAgree(line('Login', wide), 'Log in'));
  assert.ok(lettersAgree(line('Login'), 'Login'));
  assert.not(lettersAgree(line('Ch.14', wide), 'Ch.14'), 'behind a full stop');
  assert.ok(
    lettersAgree(line('v2.14', wide), 'v2.14'),
    'a decimal mark and a digit stand apart in many types',
  );
  assert.ok(
    lettersAgree(line('Save:', [3, 3, 3, 3, 11]), 'Save:'),
    'a colon stands apart in type of one width',
  );
  assert.not(lettersAgree(line('Tank27', [3, 3, 3, 3, 13, 12]), 'Tank 27'), 'two numbers');
  assert.ok(lettersAgree(line('Tank27', [3, 3, 3, 3, 13, 5]), 'Tank 27'));
  assert.ok(lettersAgree(line('Tank21', [3, 3, 3, 3, 13, 12]), 'Tank 21'), 'the ground beside a 1');
  assert.not(lettersAgree(line('All4'.replace('ll', 'l1')), 'All4'), 'a 1 that is sure is no l');
  assert.ok(lettersAgree(line('All4'), 'Al14'), 'an l may be a 1');
  assert.not(
    lettersAgree(line('Page1of7', [3, 3, 3, 3, 11, 9, 3, 9]), 'Page 1of 7'),
    'a 1 between two blanks',
  );
  assert.ok(lettersAgree(line('Tank1a', [3, 3, 3, 3, 11, 5]), 'Tank 1a'));
  assert.not(lettersAgree(line('Step3of7', [3, 3, 3, 3, 11, 11, 6, 11]), 'Step3of7'), 'three lost blanks');
  assert.not(lettersAgree(line('Logm', [3, 3, 3, 11]), 'Login'), 'letters that touch, and a lost blank');
  assert.ok(lettersAgree(line('Logm'), 'Login'));
  assert.ok(lettersAgree(line('Logx', [3, 3, 3, 11]), 'Log'), 'a cross at the end of a tab');
  assert.not(lettersAgree(line('mn'), 'Fudin'), 'letters that hang together');
  assert.not(lettersAgree(line('http://host'), 'http:/host'), 'one of two strokes');
  assert.ok(lettersAgree(line('hostx'), 'host'), 'a cross at the end of a tab');
  assert.not(lettersAgree(line('AtoE', [3, 11, 3, 11]), 'A to'), 'a letter at the end');
  assert.not(lettersAgree(line('EtoA', [3, 11, 3, 11]), 'to A'), 'a letter at the beginning');
  const spaced = lineOf('ABCWM', [3, 11, 11, 11, 3], [12, 12, 12, 24, 24]);
  assert.is(withLostBlanks(spaced, 'ABCWM'), 'ABCWM');
  assert.not(lettersAgree(spaced, 'ABCWM'), 'letters that are spaced apart, or words');
  assert.not(lettersAgree(line('info#example'), 'info#Rexample'), 'one sign read as two');
  assert.ok(lettersAgree(line('info#example'), 'info#-example'), 'a mark more');
  assert.not(
    lettersAgree(line('info#example'), 'info@Rexample'),
    'one sign read as two, one of them unknown',
  );
  assert.ok(lettersAgree(line('infomexample'), 'inforn example'), 'two letters that touch');
  assert.ok(lettersAgree(line('Dontshow'), "Don't show"), 'an apostrophe and the letter beside it');
  const unsure = line('info8example');
  const [eight, none] = [CLASSES.indexOf('8'), CLASSES.length - 1];
  const place = unsure.letters[4]?.found as Float32Array;
  place[eight] = 0.7;
  assert.not(lettersAgree(unsure, 'infoRexample'), 'one letter that is not what was read');
  assert.ok(lettersAgree(unsure, 'info8example'));
  place.fill(0);
  place[CLASSES.indexOf('R')] = 0.002;
  place[none] = 0.998;
  assert.ok(lettersAgree(unsure, 'infoRexample'), 'a letter that is like none, most of all R');
  assert.not(lettersAgree(line('/var/log/syslog'), '1'));
  assert.ok(lettersAgree(line('icon7'), '7'), 'a badge on an icon');
});

test('WIN-029 a word, a mark or a digit that only one reader has makes a text doubtful', () => {
  assert.not(lettersAgree(lineOf('Ofxylophone'), 'xylophone'), 'a word at the beginning');
  assert.not(lettersAgree(lineOf('MaskAtaken'), 'Mask A'), 'a word at the end');
  assert.not(lettersAgree(lineOf('PrintStart'), 'Print: Start'), 'a mark');
  assert.not(lettersAgree(lineOf('Automatic0'), 'Automatic ©'), 'a sign that no reader knows');
  assert.not(lettersAgree(lineOf('no=58.7l/min'), 'no = 58.7 min'), 'a stroke and a slash');
  assert.ok(lettersAgree(lineOf('info0x'), 'info@x'));
  assert.not(lettersAgree(lineOf('eth0'), 'etho'), 'a zero is higher than an o');
});

test('WIN-029 what is odd is none where both readers have the same letters for sure', () => {
  for (const text of ['GPSfix', 'VTinsp', 'PEEPmax']) {
    assert.not(isOddlySpelt(text, lineOf(text)), text);
    assert.ok(isOddlySpelt(text, lineOf(text.toLowerCase())), text);
  }
  assert.ok(isOddlySpelt('Muminate, MUminate', lineOf('MuminateMuminate')), 'other letters');
  for (const text of ['http:/llocalhost', 'Page 1of 7', 'of12', 'P0.12.5 mbar', 'Max £ 5', 'Ox1F'])
    assert.ok(isOddlySpelt(text, lineOf(text.replace(/\s/g, ''))), text);
  for (const text of ['http://localhost', 'C:/Users', 'Page 1 of 7', 'off12', 'P0.1 2.5 mbar', '£ 5'])
    assert.not(isOddlySpelt(text, lineOf(text.replace(/\s/g, ''))), text);
});

test('WIN-029 a word of letters that are sure confirms a guess of the recognizer of lines', () => {
  assert.ok(isSeen(lineOf('Print'), 'Print'));
  assert.not(isSeen(lineOf('Print0'), 'Print 0'), 'with a blank');
  assert.not(isSeen(lineOf('Print'), 'Prlnt'));
  assert.not(isSeen(lineOf('PrIme'), 'PrIme'), 'a stroke');
  assert.not(isSeen(lineOf('zvx'), 'zvx'), 'letters of one shape in small and in large');
  assert.not(isSeen(lineOf('S3', [3, 9]), 'S3'), 'a lost blank');
  assert.not(isSeen(placed([...'Print'].map((sign) => [sign, 3, 12, { [sign]: 0.8 }])), 'Print'), 'unsure');
});

test('WIN-029 what was taken for an icon behind a number is its unit where it stands on the feet of the digits', () => {
  assert.ok(isUnitLeftOut(lineOf('424V'), 3));
  assert.not(isUnitLeftOut(lineOf('424v'), 3), 'no unit');
  assert.not(isUnitLeftOut(lineOf('LimitV'), 5), 'no number');
  const raised = lineOf('424V');
  (raised.letters[3] as SeenLetter).box.y1 -= 4;
  assert.not(isUnitLeftOut(raised, 3), 'an arrow in the middle of its row');
  assert.ok(isLeftOut(lineOf('SensorIV'), 6, 2));
  assert.not(isLeftOut(lineOf('Sensor>V'), 6, 2));
});

test('WIN-029 a letter that looks like a digit is none for one reader alone', () => {
  const all = (found: Record<string, number>) =>
    allOf(
      placed([
        ['2', 4, 16],
        ['0', 4, 16, found],
      ]),
    );
  assert.ok(all({ '0': 0.95 }) > 0.8);
  assert.ok(all({ '0': 0.2, O: 0.75 }) < 0.8, 'a second reader has to agree');
  assert.ok(all({ D: 0.99 }) < 0.05, '2D');
  const slash = allOf(
    placed([
      ['3', 4, 16],
      ['1', 4, 6, { l: 0.9, I: 0.05, '/': 0.04 }],
      ['8', 4, 16],
    ]),
  );
  assert.ok(slash < 0.05, '3/8');
});

test('WIN-029 litres by the minute behind a word are those that the letters show, and the stroke is no digit', () => {
  assert.is(withSeenRates('MV 21 1/min', lineOf('MV21l/min')), 'MV 21 l/min');
  assert.is(withSeenRates('n 21 1/min', lineOf('n211/min')), 'n 21 1/min');
  assert.is(withSeenRates('> +331/min', lineOf('>+33l/min')), '> +33l/min');
  assert.is(withSeenRates('RR 11/min', lineOf('RR11/min')), 'RR 11/min');
  assert.is(withSeenRates('20 1/min, 15 1/s', lineOf('20l/min,151/s')), '20 l/min, 15 1/s', 'two rates');
  assert.is(withSeenRates('20 l/min on/off', lineOf('20l/minon/off')), '20 l/min on/off');
  assert.is(withSeenRates('20 1/min on/off', lineOf('x20l/minon/off')), undefined, 'which slash it is');
  assert.is(withSeenRates('20 1/min', lineOf('x20l/min')), '20 l/min', 'a lone slash');
  const unsure = placed(
    [...'MV21l/min'].map((sign) => [sign, 3, 12, sign === 'l' ? { l: 0.5, '1': 0.4 } : { [sign]: 0.99 }]),
  );
  assert.is(withSeenRates('MV 21 l/min', unsure), undefined, 'unsure');
  assert.is(withSeenRates('MV 21 1/min', lineOf('MV21n/min')), undefined, 'neither of the two');
  assert.is(withSeenRates('MV 21 mbar', lineOf('MV21mbar')), 'MV 21 mbar');
});

test('WIN-029 a gas has its O where the letter is one, and is doubtful where it is not', () => {
  assert.is(withGases('Fi02 0.4', lineOf('FiO20.4')), 'FiO2 0.4');
  assert.is(withGases('Fi02 0.4', lineOf('Fi020.4')), undefined);
  assert.is(withGases('E02', lineOf('E02')), 'E02');
  assert.is(withGases('02 21 %', lineOf('O221%')), 'O2 21 %');
  for (const text of ['Step 02', '2026-02-05', '0.02 mbar', 'C02.5', 'N02', 'S02'])
    assert.is(withGases(text, lineOf(text.replace(/\s/g, ''))), text);
  assert.is(withGases('C02', lineOf('C02')), undefined);
  assert.is(withGases('2026', lineOf('2026')), '2026');
});

test('WIN-029 a badge that is a number is not given for a line of many more letters', async () => {
  const picture = await drawnSvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="260" height="100"><rect width="260" height="100" fill="#fff"/><g font-family="DejaVu Sans" font-size="20"><text x="20" y="30">Overview</text><text x="20" y="80">7</text><text x="120" y="80">Tank</text></g></svg>',
  );
  const crops = [
    { x0: 10, y0: 8, x1: 200, y1: 40 },
    { x0: 10, y0: 58, x1: 40, y1: 90 },
    { x0: 110, y0: 58, x1: 200, y1: 90 },
  ].map((box) => textCrop(picture, box));
  const [long, badge, short] = crops as TextCrop[];
  const worker = saying('7');
  const read = (first: TextCrop) => readText(worker, picture, first, () => badge);
  assert.is((await read(short as TextCrop)).text, '7');
  assert.is((await read(long as TextCrop)).text, null);
});

test('WIN-034 a percentage before a word is a text when no mark of its number may be lost', () => {
  const off = (mayHoldMark: boolean) => {
    const { letters, measure } = placed([
      ['-', 4, 10],
      ['3', 4, 16],
      ['7', 4, 16],
      ['%', 12, 20],
      ['o', 12, 14],
      ['f', 4, 9],
      ['f', 4, 9],
    ]);
    return {
      letters: letters.map((one, i) => (i === 2 ? { ...one, mayHoldMark } : one)),
      measure,
    };
  };
  assert.ok(mayBeMeasured(off(false), '-37 %', '-37 % off'));
  assert.not(mayBeMeasured(off(true), '-37 %', '-37 % off'));
  assert.not(mayBeMeasured(off(false), '-37 %', '-37 % of'), 'a letter that was not read');
});

test('WIN-029 degrees are read by both readers: a small mark of inches looks like a ring', async () => {
  const picture = await drawnSvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="#fff"/><text x="20" y="40" font-family="DejaVu Sans" font-size="24">45°</text></svg>',
  );
  const first = textCrop(picture, { x0: 14, y0: 14, x1: 80, y1: 50 }) as TextCrop;
  const read = (text: string) => readText(saying(text), picture, first, () => undefined);
  assert.is((await read('45°')).text, '45°');
  assert.is((await read('45"')).text, null);
});

test('WIN-029 a tilde is no minus, in small type too', async () => {
  const signs = { '~': ['~5.2 bar', '~40 V'], '-': ['-5.2 bar', '-40 V'] };
  for (const [sign, texts] of Object.entries(signs))
    for (const text of texts)
      for (const font of ['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono'])
        for (const [size, weight] of [
          [10, 400],
          [11, 700],
          [12, 400],
          [12, 700],
          [14, 400],
          [14, 700],
          [18, 400],
        ]) {
          const picture = await drawnSvg(
            `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="60"><rect width="160" height="60" fill="#fff"/><text x="20" y="40" font-family="${font}" font-size="${size}" font-weight="${weight}">${text}</text></svg>`,
          );
          const crop = textCrop(picture, { x0: 14, y0: 14, x1: 140, y1: 50 });
          const line = crop && readLine(inkOf(crop.picture), shippedNetwork());
          const isSure = line !== undefined && (measurementOf(line)?.all ?? 0) >= 0.8;
          const what = `${text} of ${font}, ${size} px, ${weight}`;
          if (sign === '~') assert.not.ok(isSure, what);
          else assert.not.ok(line?.letters[0]?.isWavy, what);
        }
});

test('WIN-029 a stroke below the digits is no minus, and a letter higher than the line belongs to no number', () => {
  const [sign, ...digits] = placed([
    ['-', 4, 12],
    ['1', 4, 10],
    ['2', 4, 16],
  ]).letters as [SeenLetter, ...SeenLetter[]];
  const measure = { baseline: 32, height: 24 };
  const at = (y0: number, y1: number) =>
    measurementOf({ letters: [{ ...sign, box: { ...sign.box, y0, y1 } }, ...digits], measure })?.text;
  assert.is(at(18, 22), '-12');
  assert.is(at(33, 57), undefined);
  assert.is(at(33, 36), undefined);
  const [one, two] = digits as [SeenLetter, SeenLetter];
  const joined = (y0: number) =>
    measurementOf({ letters: [{ ...one, box: { ...one.box, y0 } }, two], measure })?.text;
  assert.is(joined(8), '12');
  assert.is(joined(32 - 1.55 * 24), '12', 'as high as a slash');
  assert.is(joined(-16), undefined);
});

test('WIN-029 a wider digit that stands farther from the one before it may hold a mark', () => {
  const line = (gap: number, wide: number) =>
    placed([
      ['5', 4, 16],
      ['8', 1, 16],
      ['0', 1, 16],
      ['3', gap, wide],
    ]);
  assert.ok(allOf(line(1, 16)) > 0.9);
  assert.ok(allOf(line(1, 19)) > 0.9, 'a wide digit where all are as near');
  assert.ok(allOf(line(3, 21)) < 0.1);
});

test('WIN-029 a mark with ground at both sides is one of type of one width, whose digits stand far apart', () => {
  const line = (before: number, behind: number, between: number) =>
    placed([
      ['8', 4, 18],
      [',', before, 6],
      ['6', behind, 18],
      ['2', between, 18],
      ['1', between + 4, 10],
      ['H', 30, 18],
      ['z', 8, 18],
    ]);
  assert.is(measurementOf(line(12, 16, 8))?.text, '8,621 Hz');
  assert.is(measurementOf(line(12, 16, 34)), undefined, 'blanks between the digits');
  assert.is(measurementOf(line(38, 42, 34)), undefined, 'and around the mark');
  assert.is(measurementOf(line(2, 26, 8)), undefined, 'a mark at the foot of its digit');
});

/** A recognizer of lines that reads one text, whatever it is shown. */
function saying(text: string): Worker {
  const bbox = { x0: 0, y0: 0, x1: 500, y1: 100 };
  const words = text
    .split(' ')
    .map((one) => ({ text: one, confidence: 96, bbox, symbols: [{ text: one, bbox }] }));
  const data = { blocks: [{ paragraphs: [{ lines: [{ words }] }] }] };
  return { recognize: async () => ({ data }) } as unknown as Worker;
}

test('a word with a large letter where no word has one, or with three strokes, is doubtful', () => {
  for (const text of ['AIarm', 'SUPPly', 'IMuminate', 'Hlumination', 'E to l', 'l am on'])
    assert.ok(isOddlySpelt(text), text);
  for (const text of ['5 l', 'Add 5 l', 'LEDs', 'PEEPi', 'l']) assert.not(isOddlySpelt(text), text);
  for (const text of ['qualIty', 'Mask ExhalatIon', 'SUpply', 'VieW', 'Willlams', 'valve—-3'])
    assert.ok(isOddlySpelt(text), text);
  for (const text of [
    'Quality',
    'Illuminate Billing Will',
    '12 kPa',
    '5 mV',
    '3 kW',
    'RS485',
    'WiFi',
    'IDs',
    'OK',
    'HTTP',
    'TeX',
    'valve-3 – open',
    'cmH2O',
    'AI01 DI12',
  ])
    assert.not(isOddlySpelt(text), text);
});

test('WIN-029 a point or an l that is a little like a part of a letter is judged by what else it may be', () => {
  const line = (none: number) =>
    placed([
      ['1', 4, 12],
      ['.', 4, 4, { '.': 1 - none, '': none }],
      ['2', 4, 16],
      ['l', 10, 6, { l: 0.98 - none, '': none }],
    ]);
  assert.ok(allOf(line(0.4)) > 0.9);
  assert.ok(allOf(line(0.5)) < 0.5);
});

test('WIN-029 a word whose letters look like digits and a unit is no number', () => {
  for (const word of ['OK', 'Billing', 'Soil', 'SO']) assert.is(seen(word), undefined, word);
  assert.is(seen('0 K')?.text, '0 K');
  assert.is(seen('11.1')?.text, '11.1');
});

test('WIN-034 what the recognizer of lines reads as a number, with tolerance or with a digit in its unit, is no text', () => {
  const numbers = [
    '4.8',
    '-2.5 bar',
    '4.8 + 0.1 kPa',
    '4.8 ± 0.1 kPa',
    '4,8 +/- 0,1 mbar',
    '4.8±0.1',
    '5 m3/h',
    '12 cmH2O',
    '-3A kPa',
    '1.2 .. 3.4 bar',
    '10 - 12 l/min',
    '3 x 5 V',
    '10:30',
    '20 %',
    '± 0.1 kPa',
    '1.5e-3 mbar',
    '2.1 % O2',
    '45 % RH',
  ];
  assert.equal(
    numbers.filter((text) => !isLikeNumber(text)),
    [],
  );
  const texts = [
    'Start',
    'Valve 3',
    '3 valves open',
    'AI01',
    'm3/h',
    '2 of 3 checks',
    '3D view',
    '5G net',
    '10 tests + 2 retries',
    '100 % done',
    '',
  ];
  assert.equal(texts.filter(isLikeNumber), []);
});

test('WIN-034 a line whose letters are unlike all that are known, and read otherwise by two readers, is in another alphabet', () => {
  const line = (text: string, sure: number) => ({
    letters: [...text].map((sign): SeenLetter => {
      const found = new Float32Array(CLASSES.length).fill((1 - sure) / CLASSES.length);
      found[CLASSES.indexOf(sign)] = sure;
      return { found, box: { x0: 0, y0: 0, x1: 1, y1: 1 } };
    }),
    measure: { baseline: 32, height: 24 },
  });
  assert.ok(isForeign(line('OMDODBTy', 0.4), 'JlaBneHue'));
  assert.not.ok(isForeign(line('OMDODBTy', 0.95), 'JlaBneHue'), 'sure letters');
  assert.not.ok(isForeign(line('RepoitsTime', 0.4), 'Reports Time'), 'the same letters');
  // Three letters of four have a Latin shape; the first has none.
  const cyrillic = line('Myck', 0.6);
  const [first] = cyrillic.letters;
  first?.found.fill(0.0001);
  if (first) first.found[CLASSES.length - 1] = 0.99;
  assert.ok(isForeign(cyrillic, 'Myck'), 'a letter that is none of the known ones agrees with nothing');
  assert.not.ok(isForeign(line('Myck', 0.6), 'Myck'));
});

const NUMBERS = [
  '-12.5 °C',
  '±0.75 %',
  '4.82 bar',
  '101.3 kPa',
  '30.5 l/min',
  '470 Ω',
  '12.6 µm',
  '250 mbar',
  '1,25 V',
  '8.05',
];

test(
  'WIN-034 a difference of pressures (Δp) is not read as Ap, an A is',
  async () => {
    const rows = [14, 18, 24].flatMap((size) =>
      ['Δp: 9.1 Pa', 'Δp limit', 'Apnea limit'].map((text) => ({ text, size, ink: '#212121' })),
    );
    const { texts } = await readRows(rows);
    const read = rows.map(({ text }, i) => [text, texts[i]]);
    assert.equal(
      read.filter(([text, own]) => own !== (text?.startsWith('A') ? text : null)),
      [],
    );
  },
  SLOW,
);

test(
  'WIN-029 a raised sign behind a number (º) is not read as a digit, and the A of Alarm not as a Δ',
  async () => {
    const rows = [12, 13, 16].flatMap((size) =>
      ['12.5º', '37º', '45º', 'Alarm', 'ALARM 1'].map((text) => ({ text, size, ink: '#212121' })),
    );
    const { texts } = await readRows(rows);
    const read = rows.map(({ text }, i) => [text.replace('º', '°'), texts[i]] as const);
    assert.equal(
      read.filter(([text, own]) => own !== text && (own !== null || /^a/i.test(text))),
      [],
    );
  },
  SLOW,
);

/** Reads each text in a row of its own. */
async function readRows(rows: readonly { text: string; size: number; ink: string; extra?: string }[]) {
  const lines = rows.map(
    ({ text, size, ink, extra = '' }, i) =>
      `<text x="20" y="${i * 40 + 28}" font-size="${size}" fill="${ink}">${text}</text>${extra}`,
  );
  const height = rows.length * 40 + 20;
  const picture = await drawnSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="260" height="${height}"><rect width="260" height="${height}" fill="#fff"/><g font-family="DejaVu Sans, sans-serif">${lines.join('')}</g></svg>`,
  );
  const boxes = rows.map((_, i) => ({ x0: 10, y0: i * 40 + 6, x1: 250, y1: i * 40 + 38 }));
  const reader = new TextReader();
  try {
    const read = await reader.read(picture, boxes, 'en');
    if (!read) throw new Error('text recognition is not installed');
    return read;
  } finally {
    await reader.close();
  }
}

test(
  'WIN-029 numbers of 10 to 22 px keep sign, mark and unit, or are null with a reason',
  async () => {
    const rows = [10, 13, 17, 22].flatMap((size) => NUMBERS.map((text) => ({ text, size, ink: '#222' })));
    const { texts, reasons } = await readRows(rows);
    let exact = 0;
    for (const [i, { text, size }] of rows.entries()) {
      if (texts[i] === text) exact++;
      else assert.equal([texts[i], reasons[i]], [null, 'number_unsure'], `${text} of ${size} px`);
    }
    assert.ok(exact >= 0.85 * rows.length, `${exact} of ${rows.length} exact`);
  },
  SLOW,
);

test(
  'WIN-029 times of hours and minutes are read, also in type whose colon is two squares',
  async () => {
    const rows = ['DejaVu Sans', 'Liberation Sans'].flatMap((font) =>
      [12, 16, 22, 30].flatMap((size) =>
        ['12:34', '09:05', '8:15', '23:59:07'].map((time) => ({
          time,
          text: `<tspan font-family="${font}">${time}</tspan>`,
          size,
          ink: '#222',
        })),
      ),
    );
    const { texts } = await readRows(rows);
    const wrong = rows.filter(({ time }, i) => texts[i] !== null && texts[i] !== time);
    assert.equal(wrong, []);
    assert.ok(texts.filter((text) => text !== null).length >= 0.9 * rows.length, texts.join(' '));
  },
  SLOW,
);

test(
  'WIN-029 a speck above a decimal point makes no time of a number',
  async () => {
    const rows = [16, 22].flatMap((size) =>
      [0.93, 0.8, 0.76].map((above) => ({
        size,
        text: '12.34',
        ink: '#222',
        above,
      })),
    );
    const marked = rows.map((row, i) => {
      const [x, y] = [20 + 2 * row.size * 0.636 + row.size * 0.1, i * 40 + 28 - row.above * row.size];
      return {
        ...row,
        extra: `<rect x="${Math.round(x)}" y="${Math.round(y)}" width="2" height="2" fill="#222"/>`,
      };
    });
    const { texts } = await readRows(marked);
    assert.equal(
      texts.filter((text) => text?.includes(':')),
      [],
    );
  },
  SLOW,
);

test(
  'WIN-029 a decimal point that is hardly to be seen is not lost silently',
  async () => {
    const faint = ['#ddd', '#bbb', '#999', '#777', '#555'];
    const rows = faint.map((ink) => ({
      text: `7<tspan fill="${ink}">.</tspan>4 kPa`,
      size: 16,
      ink: '#222',
    }));
    const { texts } = await readRows(rows);
    for (const [i, text] of texts.entries())
      assert.ok(text === null || text === '7.4 kPa', `point ${faint[i]}: ${text}`);
  },
  SLOW,
);

test(
  'WIN-034 texts in alphabets that were not installed are null with a reason',
  async () => {
    const words = ['Давление воздуха', 'Открыть клапан', 'Ошибка датчика', 'Настройки'];
    const { texts, reasons } = await readRows(words.map((text) => ({ text, size: 15, ink: '#222' })));
    assert.equal(
      texts,
      words.map(() => null),
    );
    for (const reason of reasons) assert.ok(reason !== undefined);
  },
  SLOW,
);

test(
  'WIN-029 a point that touches the digit behind it is not lost silently',
  async () => {
    const rows = [9, 10, 11, 12, 14, 17].flatMap((size) =>
      [0.06, 0.1, 0.14].map((share) => ({
        text: `60.<tspan dx="${(-share * size).toFixed(2)}">43 °C</tspan>`,
        size,
        ink: '#222',
      })),
    );
    const { texts } = await readRows(rows);
    for (const [i, text] of texts.entries())
      assert.ok(text === null || /^60\.43 ?°C$/.test(text), `${JSON.stringify(rows[i])}: ${text}`);
  },
  SLOW,
);

test.run();
