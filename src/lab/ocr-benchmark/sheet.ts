import { gaussian, type Random } from '../../lib/random/seeded-random.ts';
import type { Box } from '../../window/detect/element.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { needSharp } from '../../window/image/sharp.ts';
import type { Browser } from '../window-training/browser.ts';
import { between, choice } from './choice.ts';
import { FAMILIES, SEGMENT_FAMILIES } from './fonts.ts';
import { type Kind, wordsOf } from './samples.ts';
import { segmentDrawing, segmentLook } from './segment-drawing.ts';
import { still } from './still.ts';

export type Part = keyof typeof FAMILIES;

/** One text with the box that a detector would give of it, in pixels of the sheet. */
export interface Sample {
  kind: Kind;
  text: string;
  box: Box;
  /** How it is shown, for people. */
  look: string;
}

export interface Sheet {
  pixels: Pixels;
  samples: Sample[];
}

interface Cell {
  kind: Kind;
  text: string;
  html: string;
  look: string;
  /** The box is that of a control around the text, not the text's own. */
  isControl: boolean;
}

export const INK: readonly (readonly [ink: string, ground: string])[] = [
  ['#111111', '#ffffff'],
  ['#222222', '#f4f5f7'],
  ['#333d4a', '#ffffff'],
  ['#5c6670', '#ffffff'],
  ['#6c757d', '#f8f9fa'],
  ['#0b57d0', '#ffffff'],
  ['#1b5e20', '#e8f5e9'],
  ['#b00020', '#fdecea'],
  ['#ffffff', '#1a73e8'],
  ['#ffffff', '#2e7d32'],
  ['#ffffff', '#c62828'],
  ['#e8eaed', '#202124'],
  ['#c9d1d9', '#0d1117'],
  ['#9aa4b2', '#1c2128'],
  ['#7ee787', '#0d1117'],
  ['#ffd54f', '#263238'],
  ['#00e5ff', '#102027'],
  ['#000000', '#ffe082'],
  ['#212121', '#d4d0c8'],
];

/** A sheet of samples of one kind. @param zoom pixels of the picture for one of the page */
export async function drawSheet(
  browser: Browser,
  kind: Kind,
  part: Part,
  zoom: number,
  random: Random,
): Promise<Sheet> {
  const cells = Array.from({ length: kind === 'segments' ? 30 : 60 }, () => cellOf(kind, part, random));
  await browser.zoom(zoom);
  await browser.show(
    `<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box}body{margin:0;padding:8px;background:#e3e6ea;display:flex;flex-wrap:wrap;gap:10px;align-items:flex-start;align-content:flex-start;height:800px;overflow:hidden}
div{white-space:pre;line-height:1.3}</style>${cells.map(({ html }) => html).join('')}`,
  );
  const { said: rects, shot } = await still<number[][]>(browser, RECTS);
  const sharp = await needSharp('the benchmark');
  const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const clean: Pixels = { width: info.width, height: info.height, data };
  const samples = cells.flatMap(({ text, look, isControl }, i): Sample[] => {
    const rect = rects[i];
    if (!rect) return [];
    const outer = scaled(rect, zoom);
    if (outer.y1 > clean.height || outer.x1 > clean.width) return [];
    if (kind === 'segments') return [{ kind, text, look, box: outer }];
    const ink = inkIn(clean, isControl ? shrunk(outer, Math.ceil(2 * zoom)) : outer);
    if (!ink) return [];
    const loose = () => Math.floor(random() * 3);
    const own = { x0: ink.x0 - loose(), y0: ink.y0 - loose(), x1: ink.x1 + loose(), y1: ink.y1 + loose() };
    return [{ kind, text, look, box: isControl && random() < 0.5 ? outer : own }];
  });
  const used = Math.min(clean.height, Math.max(...samples.map(({ box }) => box.y1)) + GROUND);
  const shown = { ...clean, height: used, data: clean.data.subarray(0, clean.width * used * 3) };
  return { pixels: await worn(shown, random), samples };
}

/** Pixels below the last sample. */
const GROUND = 16;
const RECTS = `[...document.body.children].map((one) => { const rect = one.getBoundingClientRect(); return [rect.left, rect.top, rect.right, rect.bottom]; })`;

function cellOf(kind: Kind, part: Part, random: Random): Cell {
  const text = wordsOf(kind, random);
  if (kind === 'segments') return segmentCell(text, part, random);
  const family =
    kind === 'none'
      ? choice(random, ['DejaVu Sans', 'Liberation Sans', 'FreeSans'] as const)
      : choice(random, FAMILIES[part]);
  const size = kind === 'number' ? 9 + Math.floor(random() * 14) : 11 + Math.floor(random() * 12);
  const weight = choice(random, [400, 400, 400, 500, 600, 700]);
  const style = random() < 0.06 ? 'italic' : 'normal';
  const [ink, ground] = choice(random, INK);
  const isControl = random() < 0.25;
  const border = isControl
    ? `border:1px solid ${choice(random, ['#999', '#bbb', ink])};border-radius:${choice(random, [0, 3, 6])}px;`
    : '';
  const padding = isControl
    ? `${Math.round(between(random, 4, 8))}px ${Math.round(between(random, 8, 16))}px`
    : '5px 7px';
  const look = `${family} ${size}px ${weight}${style === 'italic' ? ' italic' : ''} ${ink} on ${ground}${isControl ? ' control' : ''}`;
  return {
    kind,
    text,
    look,
    isControl,
    html: `<div style="font:${style} ${weight} ${size}px '${family}';color:${ink};background:${ground};padding:${padding};${border}">${escaped(text)}</div>`,
  };
}

function segmentCell(text: string, part: Part, random: Random): Cell {
  const drawn = segmentLook(random);
  if (random() < 0.7)
    return {
      kind: 'segments',
      text,
      html: `<div>${segmentDrawing(text, drawn)}</div>`,
      look: `drawn ${JSON.stringify(drawn)}`,
      isControl: false,
    };
  const family = choice(random, SEGMENT_FAMILIES[part]);
  const [weight, style] = [choice(random, [300, 400, 700]), random() < 0.4 ? 'italic' : 'normal'];
  const size = drawn.height;
  const ghost = drawn.ghost > 0 ? text.replace(/[0-9-]/g, '8') : '';
  const both = `position:absolute;left:0;top:0;padding:${Math.round(size * 0.3)}px`;
  return {
    kind: 'segments',
    text,
    look: `${family} ${size}px ${weight} ${style} ${drawn.lit} on ${drawn.ground} ghost ${drawn.ghost.toFixed(2)}`,
    isControl: false,
    html: `<div style="position:relative;font:${style} ${weight} ${size}px/1 '${family}';background:${drawn.ground};padding:${Math.round(size * 0.3)}px;color:transparent"><span>${text}</span><span style="${both};color:${drawn.lit};opacity:${drawn.ghost}">${ghost}</span><span style="${both};color:${drawn.lit}">${text}</span></div>`,
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const scaled = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[], zoom: number): Box => ({
  x0: Math.ceil(x0 * zoom),
  y0: Math.ceil(y0 * zoom),
  x1: Math.floor(x1 * zoom),
  y1: Math.floor(y1 * zoom),
});

const shrunk = ({ x0, y0, x1, y1 }: Box, by: number): Box => ({
  x0: x0 + by,
  y0: y0 + by,
  x1: x1 - by,
  y1: y1 - by,
});

/** Levels of a channel from which ink is seen. */
const SEEN = 40;

function inkIn({ width, data }: Pixels, { x0, y0, x1, y1 }: Box): Box | undefined {
  const ground = (y0 + 1) * width + x0 + 1;
  const found = { x0: x1, y0: y1, x1: x0, y1: y0 };
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      const isInk = [0, 1, 2].some(
        (c) => Math.abs((data[(y * width + x) * 3 + c] as number) - (data[ground * 3 + c] as number)) > SEEN,
      );
      if (!isInk) continue;
      found.x0 = Math.min(found.x0, x);
      found.y0 = Math.min(found.y0, y);
      found.x1 = Math.max(found.x1, x + 1);
      found.y1 = Math.max(found.y1, y + 1);
    }
  return found.x1 > found.x0 ? found : undefined;
}

/** As screens reach a program: exact, through JPEG, with the noise of a capture, or softened by a scaler. */
export async function worn(clean: Pixels, random: Random): Promise<Pixels> {
  const kind = random();
  if (kind < 0.5) return clean;
  const { width, height, data } = clean;
  const sharp = await needSharp('the benchmark');
  const raw = { raw: { width, height, channels: 3 as const } };
  if (kind < 0.7) {
    const jpeg = await sharp(data, raw)
      .jpeg({ quality: Math.round(between(random, 80, 95)) })
      .toBuffer();
    return { width, height, data: await sharp(jpeg).removeAlpha().raw().toBuffer() };
  }
  if (kind < 0.85) {
    const deviation = between(random, 2, 6);
    return {
      width,
      height,
      data: Uint8Array.from(data, (value) =>
        Math.max(0, Math.min(255, Math.round(value + deviation * gaussian(random)))),
      ),
    };
  }
  return {
    width,
    height,
    data: await sharp(data, raw)
      .blur(between(random, 0.4, 0.6))
      .raw()
      .toBuffer(),
  };
}
