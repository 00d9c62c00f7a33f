import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { drawnSvg } from '../../test-kit/window/pictures.ts';
import { asSeen, withOForZero } from './as-seen.ts';
import { digitsAgree } from './digit-agreement.ts';
import { CLASSES } from './glyph/classes.ts';
import type { SeenLine } from './glyph/read-line.ts';
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
  assert.is(asSeen('Password', seen('PassWord')), 'Password', 'a capital within a word, not sure enough');
  assert.is(asSeen('modelview', seen('modelView', 0.999)), 'modelView');
  assert.is(asSeen('Open', seen('0peN')), 'Open', 'of another shape');
});

/** The same, where some letters rise less far above their feet than others. */
const rising = (signs: string, small: string, sure = 0.98): SeenLine => {
  const line = seen(signs, sure);
  line.letters.forEach((letter, i) => {
    if (small.includes(signs[i] as string)) letter.box = { ...letter.box, y0: 14 };
    letter.apart = 4;
  });
  return line;
};

/** A line of small letters whose first one rises as high as their tall ones. */
const highFirst = (signs: string): SeenLine => {
  const line = rising(signs, 'aceonrstu');
  const [first] = line.letters;
  if (first) first.box = { ...first.box, y0: 8 };
  return line;
};

test('WIN-029 a letter as high as the small ones is small, whatever both readers say', () => {
  assert.is(asSeen('Are you sure', rising('AreyouSure', 'reyouS')), 'Are you sure');
  assert.is(asSeen('NO', rising('NO', 'O')), 'No', 'by tall letters alone');
  assert.is(asSeen('october', highFirst('october')), 'October');
  assert.is(asSeen('channels', highFirst('channels')), 'Channels');
  const touching = highFirst('channels');
  for (const letter of touching.letters) letter.apart = 0;
  assert.is(
    asSeen('channels', touching),
    'channels',
    'the box of a letter that touches another is as high as both',
  );
});

test('WIN-029 a zero that begins a word is an o where the letter is one', () => {
  assert.is(withOForZero('Step 3 0f 12', seen('Step3of12')), 'Step 3 of 12');
  assert.is(withOForZero('Step 3 0f 12', seen('Step30f12')), 'Step 3 0f 12');
  assert.is(withOForZero('0mbar', seen('ombar')), '0mbar', 'a unit');
  assert.is(withOForZero('x0f', seen('xof')), 'x0f', 'within a word');
});

test('WIN-029 two letters that touch are no digit, and an icon alone may be one', () => {
  assert.not(digitsAgree(seen('SN10O2'), 'SN 1002'), 'an O between two digits');
  const line = seen('4uarter', 0.0001);
  for (const { found } of line.letters) found[CLASSES.length - 1] = 0.9999;
  assert.ok(digitsAgree(line, 'Quarter'));
  assert.not(digitsAgree(seen('4uarter'), 'Quarter'));
  const icon = seen('8', 0.0001);
  for (const { found } of icon.letters) found[CLASSES.length - 1] = 0.9999;
  assert.not(digitsAgree(icon, '®'), 'an icon alone');
});

test('WIN-029 the zero of a code is not given as an O', () => {
  assert.not(digitsAgree(seen('P0.1'), 'PO.1'));
  assert.not(digitsAgree(seen('E01'), 'EO1'));
  assert.not(digitsAgree(seen('E00'), 'EOO'));
  assert.ok(digitsAgree(seen('PO.1'), 'PO.1'));
  assert.ok(digitsAgree(seen('N0', 0.7), 'NO'), 'a word');
  assert.ok(digitsAgree(seen('C02', 0.85), 'CO2'), 'a gas, not sure');
});

test('WIN-029 a bar as high as the digits is an I, and an I between small letters an l where it is one', () => {
  assert.is(asSeen('| am on', seen('Iamon')), 'I am on');
  const bar = seen('A|B');
  for (const letter of bar.letters) letter.box = { ...letter.box, y1: 36 };
  assert.is(asSeen('A | B', bar), 'A | B', 'it reaches below the letters');
  assert.is(asSeen('AIarm', seen('Alarm')), 'Alarm');
  assert.is(asSeen('AI 1', seen('Al1')), 'AI 1');
});

test('three full stops at the end of a text are three', () => {
  assert.is(asSeen('Files..', seen('Files...')), 'Files...');
  assert.is(asSeen('Files.', seen('Files.')), 'Files.');
  assert.is(asSeen('Files.', seen('Files..,')), 'Files...');
});

test('WIN-034 an O is no naught because one reader takes it for one; what the letters have as a naught may be an o', () => {
  assert.not(digitsAgree(seen('2.1%O2'), '2.1 % 02'));
  assert.not(digitsAgree(seen('CO2'), 'C02'));
  assert.ok(digitsAgree(seen('CO2'), 'CO2'));
  assert.ok(digitsAgree(seen('T0ols7'), 'Tools 7'));
});

test('WIN-034 a minus before a digit of a text is one of both readers, or the text is doubtful', () => {
  assert.not(digitsAgree(seen('-5°Cdone'), '5 °C done'));
  assert.not(digitsAgree(seen('5°Cdone'), '-5 °C done'));
  assert.not(digitsAgree(seen('P=-4.8'), 'P = 4.8'));
  assert.not(digitsAgree(seen('4-5.2'), '4 5-.2'));
  assert.ok(digitsAgree(seen('-5°Cdone'), '− 5 °C done'));
  assert.ok(digitsAgree(seen('2026-11-03'), '2026-11-03'));
  assert.ok(digitsAgree(seen('10-l2Pa'), '10 – 12 Pa'));
});

test(
  'WIN-029 a comparison with a bar below it is read with it, and one without has none',
  async () => {
    const texts = ['PEEP ≤ 20 mbar', 'Flow ≥ 3.6 kPa', 'Leak < 12 ml'];
    const read = await readingsOf(texts, 'DejaVu Sans', 14);
    assert.equal(
      read.map((text, i) => (text === null ? texts[i] : text.replace(/\s/g, ''))),
      texts.map((text, i) => (read[i] === null ? text : text.replace(/\s/g, ''))),
    );
    assert.ok(
      read.some((text) => text !== null && /[≤≥]/.test(text)),
      read.join(),
    );
  },
  { timeoutMs: 120_000 },
);

/** Texts one below the other, and what is read of them. */
async function readingsOf(texts: readonly string[], font: string, size: number): Promise<(string | null)[]> {
  const row = 3 * size;
  const lines = texts.map(
    (text, i) => `<text x="20" y="${i * row + 2 * size}">${text.replace('<', '&lt;')}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="220" height="${texts.length * row}"><rect width="100%" height="100%" fill="#fff"/><g font-family="${font}" font-size="${size}" fill="#333">${lines.join('')}</g></svg>`;
  const boxes = texts.map((_, i) => ({
    x0: 16,
    y0: i * row + size - 1,
    x1: 24 + size * 8,
    y1: i * row + Math.round(2.4 * size),
  }));
  const reader = new TextReader();
  try {
    return (await reader.read(await drawnSvg(svg), boxes, 'en'))?.texts ?? [];
  } finally {
    await reader.close();
  }
}

test(
  'WIN-034 a share of a gas is read with its O, or not at all',
  async () => {
    const texts = ['2.1 % O2', '20.7 % O2', '1.7 % CO2', '0.5 % O2'];
    for (const font of ['DejaVu Sans', 'DejaVu Serif'])
      for (const size of [11, 14]) {
        const read = await readingsOf(texts, font, size);
        assert.equal(
          read.map((text, i) => text ?? texts[i]),
          texts,
          `${font} ${size}`,
        );
      }
  },
  { timeoutMs: 120_000 },
);

test(
  'WIN-029 a 0 with its unit right behind it is a number; ON is none',
  async () => {
    const values = ['0mbar', '0kPa', '0rpm'];
    assert.equal(await readingsOf(values, 'DejaVu Sans', 16), values);
    for (const word of await readingsOf(['ON', 'OK'], 'DejaVu Sans Condensed', 16))
      assert.ok(word === null || word === 'ON' || word === 'OK', String(word));
  },
  { timeoutMs: 120_000 },
);

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
