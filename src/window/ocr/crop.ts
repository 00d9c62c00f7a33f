import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import { badgeOf } from './badge.ts';
import { type Contrast, contrastOf } from './contrast.ts';
import { eraseFrames, eraseUnderline } from './frames.ts';
import { columnsOf, linesOf } from './lines.ts';
import { clear, type Ends, eraseIcons, signsOf } from './signs.ts';
import { partedLines } from './touching-lines.ts';
import { eraseLetterLines } from './underlined-letter.ts';
import { wholeLetters } from './whole-letters.ts';

/** Pixels of the image around an element: boxes end where the ink does, and its soft edge belongs to it. */
const WIDENED = 2;
/** Soft pixels around strokes. */
const SOFT = 1;
/** Ground around the text, in pixels of the result; without it letters at the edge are lost. */
const MARGIN = 12;
/** How high a line becomes, pixels. */
export const LINE_HEIGHT = 32;
const SCALES = [1.5, 4] as const;

export interface TextCrop {
  /** Dark on white. */
  picture: Pixels;
  /** Lines of text. */
  lines: number;
  /** They cannot be told apart: something stands beside them, or their letters touch. */
  areJoined: boolean;
  /** Of the text in the image, pixels. */
  width: number;
  height: number;
  /** From the middle of the box down to the middle of the text in the image, pixels. */
  below: number;
  /** Pixels of the result for one of the image, and the place in the image that its first pixel shows. */
  scale: number;
  left: number;
  top: number;
  /** Where the text would begin and end without the sign at that end, columns of the result. */
  signs: Ends;
  /** Something beside the text was taken for an icon and left out. */
  hasIcon: boolean;
}

export interface CropOptions {
  /** Of a line in the result, pixels. */
  lineHeight?: number;
  /** Ends whose signs are left out. */
  without?: { left: boolean; right: boolean };
  /** Of the badge in the box alone. */
  badge?: boolean;
  /** Whether what looks like an icon stays. */
  icons?: boolean;
  /** Of one of its lines alone, from 0; no crop when it has another number of them. */
  line?: { index: number; of: number };
}

/**
 * One element's text as recognition likes it: without the frame around it, black on white, large. Undefined when there is
 * no ink.
 */
export function textCrop(
  image: Pixels,
  element: Box,
  {
    lineHeight = LINE_HEIGHT,
    without = { left: false, right: false },
    badge = false,
    icons = false,
    line,
  }: CropOptions = {},
): TextCrop | undefined {
  const around = widened(element, image);
  const letters = wholeLetters(image, around);
  // Ink that touches the edge of the box would be taken for a frame; behind whole letters is ground.
  const box = {
    ...letters,
    x0: letters.x0 < around.x0 ? Math.max(0, letters.x0 - WIDENED) : letters.x0,
    x1: letters.x1 > around.x1 ? Math.min(image.width, letters.x1 + WIDENED) : letters.x1,
  };
  const whole = contrastOf(image, box);
  const contrast = badge ? whole && inBadge(image, box, whole) : whole;
  if (!contrast) return undefined;
  eraseFrames(contrast);
  for (const { from, to } of linesOf(contrast))
    eraseUnderline(contrast, { x0: 0, y0: from, x1: contrast.width, y1: to });
  eraseLetterLines(contrast);
  let hasIcon = !icons && eraseIcons(contrast);
  if (line) {
    if (!keepLine(contrast, line)) return undefined;
    hasIcon = (!icons && eraseIcons(contrast)) || hasIcon;
  }
  let signs = signsOf(contrast);
  if (without.left && signs.left !== undefined) clear(contrast, 0, signs.left);
  if (without.right && signs.right !== undefined) clear(contrast, signs.right, contrast.width);
  const { lines, areJoined } = line ? { lines: linesOf(contrast), areJoined: false } : partedLines(contrast);
  const columns = columnsOf(contrast);
  const [firstLine, lastLine, first, last] = [lines[0], lines.at(-1), columns[0], columns.at(-1)];
  if (!firstLine || !lastLine || !first || !last) return undefined;
  const ink = {
    x0: Math.max(0, first.from - SOFT),
    y0: Math.max(0, firstLine.from - SOFT),
    x1: Math.min(contrast.width, last.to + SOFT),
    y1: Math.min(contrast.height, lastLine.to + SOFT),
  };
  const highest = Math.max(...lines.map(({ from, to }) => to - from));
  const scale = Math.max(SCALES[0], Math.min(SCALES[1], lineHeight / highest));
  const onResult = (x: number | undefined) => (x === undefined ? x : MARGIN + (x - ink.x0) * scale);
  signs = { left: onResult(signs.left), right: onResult(signs.right) };
  return {
    picture: enlarged(contrast, ink, scale),
    lines: lines.length,
    areJoined,
    width: ink.x1 - ink.x0,
    height: ink.y1 - ink.y0,
    below: (ink.y0 + ink.y1 - contrast.height) / 2,
    scale,
    left: box.x0 + ink.x0 - MARGIN / scale,
    top: box.y0 + ink.y0 - MARGIN / scale,
    signs,
    hasIcon,
  };
}

/** Erases the other lines. @returns whether there are as many as were said */
function keepLine(contrast: Contrast, { index, of }: { index: number; of: number }): boolean {
  const { lines } = partedLines(contrast);
  const own = lines[index];
  if (!own || lines.length !== of) return false;
  const { width, data } = contrast;
  const from = Math.max(lines[index - 1]?.to ?? 0, own.from - SOFT);
  const to = Math.min(lines[index + 1]?.from ?? contrast.height, own.to + SOFT);
  data.fill(0, 0, from * width);
  data.fill(0, to * width);
  return true;
}

function inBadge(image: Pixels, { x0, y0 }: Box, whole: Contrast): Contrast | undefined {
  const badge = badgeOf(whole);
  return (
    badge && contrastOf(image, { x0: x0 + badge.x0, y0: y0 + badge.y0, x1: x0 + badge.x1, y1: y0 + badge.y1 })
  );
}

function widened({ x0, y0, x1, y1 }: Box, { width, height }: Pixels): Box {
  return {
    x0: Math.max(0, x0 - WIDENED),
    y0: Math.max(0, y0 - WIDENED),
    x1: Math.min(width, x1 + WIDENED),
    y1: Math.min(height, y1 + WIDENED),
  };
}

function enlarged(contrast: Contrast, { x0, y0, x1, y1 }: Box, scale: number): Pixels {
  const [inkWidth, inkHeight] = [Math.round((x1 - x0) * scale), Math.round((y1 - y0) * scale)];
  const [width, height] = [inkWidth + 2 * MARGIN, inkHeight + 2 * MARGIN];
  const data = new Uint8Array(width * height * 3).fill(255);
  for (let y = 0; y < inkHeight; y++)
    for (let x = 0; x < inkWidth; x++) {
      const value = 255 - sampled(contrast, x0 + (x + 0.5) / scale, y0 + (y + 0.5) / scale);
      const at = ((y + MARGIN) * width + x + MARGIN) * 3;
      data.fill(value, at, at + 3);
    }
  return { width, height, data };
}

/** Between the four pixels around a place. */
function sampled({ width, height, data }: Contrast, x: number, y: number): number {
  const left = Math.min(width - 1, Math.max(0, x - 0.5));
  const top = Math.min(height - 1, Math.max(0, y - 0.5));
  const [x0, y0] = [Math.floor(left), Math.floor(top)];
  const [x1, y1] = [Math.min(width - 1, x0 + 1), Math.min(height - 1, y0 + 1)];
  const [right, down] = [left - x0, top - y0];
  const at = (column: number, row: number) => data[row * width + column] as number;
  const upper = at(x0, y0) * (1 - right) + at(x1, y0) * right;
  const lower = at(x0, y1) * (1 - right) + at(x1, y1) * right;
  return Math.round(upper * (1 - down) + lower * down);
}
