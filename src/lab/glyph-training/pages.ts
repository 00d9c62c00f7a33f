import type { Random } from '../../lib/random/seeded-random.ts';
import type { Box } from '../../window/detect/element.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { needSharp } from '../../window/image/sharp.ts';
import { between, choice } from '../ocr-benchmark/choice.ts';
import { FAMILIES, MORE_FAMILIES } from '../ocr-benchmark/fonts.ts';
import { wordsOf } from '../ocr-benchmark/samples.ts';
import { INK, worn } from '../ocr-benchmark/sheet.ts';
import { still } from '../ocr-benchmark/still.ts';
import type { Browser } from '../window-training/browser.ts';

/** A text with the columns of each of its letters, in pixels of the picture. */
export interface Shown {
  text: string;
  box: Box;
  letters: { sign: string; x0: number; x1: number }[];
}

const LEARNED = [...FAMILIES.tuning, ...MORE_FAMILIES];
const CELLS = 330;
/** Shares of the texts. */
const ITALIC = 0.14;
const SPACED = 0.15;
const NARROWED = 0.15;
const SIGNS = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,:;-+±%°/()Ωµ³²=*#?!_<>[]|×0123456789',
];

/** A page of texts that the network learns from. */
export async function drawPage(
  browser: Browser,
  zoom: number,
  random: Random,
): Promise<{ pixels: Pixels; shown: Shown[] }> {
  const texts = Array.from({ length: CELLS }, () => textOf(random));
  const html = texts.map((text) => {
    const size = 9 + Math.floor(random() * random() * 20);
    const [ink, ground] = choice(random, INK);
    const style = random() < ITALIC ? 'italic' : 'normal';
    const font = `${style} ${choice(random, [400, 400, 400, 500, 600, 700])} ${size}px '${choice(random, LEARNED)}'`;
    const spacing = random() < SPACED ? `;letter-spacing:${between(random, -0.02, 0.08).toFixed(3)}em` : '';
    const width = random() < NARROWED ? `;transform:scaleX(${between(random, 0.8, 1).toFixed(2)})` : '';
    return `<div style="font:${font};color:${ink};background:${ground}${spacing}${width}">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</div>`;
  });
  await browser.zoom(zoom);
  await browser.show(
    `<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box}body{margin:0;padding:4px;background:#e3e6ea;display:flex;flex-wrap:wrap;gap:4px;align-items:flex-start;align-content:flex-start;height:800px;overflow:hidden}
div{white-space:pre;line-height:1.3;padding:4px 6px}</style>${html.join('')}`,
  );
  const { said: rects, shot } = await still<Rect[]>(browser, RECTS);
  const sharp = await needSharp('the training');
  const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixels = await worn({ width: info.width, height: info.height, data }, random);
  const shown = rects.flatMap(({ box, letters }, i): Shown[] => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box.map((value) => value * zoom);
    if (x1 > pixels.width || y1 > pixels.height) return [];
    return [
      {
        text: texts[i] ?? '',
        box: { x0: Math.ceil(x0) + 2, y0: Math.ceil(y0) + 2, x1: Math.floor(x1) - 2, y1: Math.floor(y1) - 2 },
        letters: letters.map(([sign, from, to]) => ({ sign, x0: from * zoom, x1: to * zoom })),
      },
    ];
  });
  return { pixels, shown };
}

interface Rect {
  box: number[];
  letters: [string, number, number][];
}

const RECTS = `[...document.body.children].map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const node = one.firstChild, range = document.createRange();
  const letters = [...node.data].map((sign, i) => {
    range.setStart(node, i); range.setEnd(node, i + 1);
    const own = range.getBoundingClientRect();
    return [sign, own.left, own.right];
  });
  return { box: [left, top, right, bottom], letters };
})`;

/** Letters of alphabets that are not read; those that look like Latin ones are left out. */
const FOREIGN = [
  'БГДЖЗИЙЛПУФЦЧШЩЪЫЬЭЮЯбвгджзийклмнптфцчшщъыьэюя',
  'ΓΔΘΛΞΠΣΦΨΩαβγδεζηθλμξπρσςτφψω',
  'אבגדהוזחטלמנסעפצקרשת',
  'กขคงจฉชซญดตถทธนบปผพฟมยรลวศสหอ',
];

/** With a digit in each, since digits tell how high the line is. */
function textOf(random: Random): string {
  const form = random();
  if (form < 0.58) return wordsOf('number', random);
  const digit = String(Math.floor(random() * 10));
  if (form < 0.78) return `${digit}${Array.from({ length: 5 }, () => choice(random, SIGNS)).join('')}`;
  if (form < 0.85) {
    const letters = [...choice(random, FOREIGN)];
    return `${digit} ${Array.from({ length: 5 }, () => choice(random, letters)).join('')}`;
  }
  return `${digit} ${wordsOf('text', random).slice(0, 14)}`;
}
