import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { columnsOf, type Span } from './lines.ts';
import { type Piece, piecesOf } from './pieces.ts';

/** Indicators of choices, pixels; their sides differ by less than this of the longer one. */
const LEAST_INDICATOR = 10;
const SQUARE = 0.2;
/** Times as high as letters. */
const HIGHER = 1.15;
/** Pieces of ink that tell where letters stand. */
const LEAST_LETTERS = 2;
/** Between an indicator and its text, pixels; letters of one word are closer. */
const LEAST_GAP = 4;
/** How deep the border of an indicator may lie within its corners, pixels. */
const BORDER = 2;

/**
 * The box or the ring of a choice is about square, higher than letters, and reaches below their feet. Its border may be
 * interrupted, or be drawn with light and shadow; parentheses and brackets have no top.
 *
 * @param text where the text begins, column
 * @param least ink of its border, of 255
 */
export function isIndicator(contrast: Contrast, text: number, least: number): boolean {
  const own = piecesOf(contrast, least).filter(({ x1 }) => x1 <= text);
  const letters = piecesOf(contrast).filter(({ x0 }) => x0 >= text);
  if (own.length === 0 || letters.length < LEAST_LETTERS) return false;
  const around = boxOf(own);
  const [wide, high] = [around.x1 - around.x0, around.y1 - around.y0];
  if (Math.min(...letters.map(({ x0 }) => x0)) - around.x1 < LEAST_GAP) return false;
  const isOutmost = own.some((one) => isSame(one, around));
  // Letters have gaps between them.
  const isUnbroken = columnsOf(contrast, least).filter(({ to }) => to <= text).length === 1;
  const baseline = feetOf(letters);
  const letter = Math.max(
    ...letters.filter(({ y1 }) => Math.abs(y1 - baseline) <= 1).map(({ y0, y1 }) => y1 - y0),
  );
  return (
    Math.abs(wide - high) <= SQUARE * Math.max(wide, high) &&
    high >= LEAST_INDICATOR &&
    high >= HIGHER * letter &&
    around.y1 > baseline &&
    (isOutmost || (isUnbroken && hasBorder(contrast, around, least)))
  );
}

const isSame = (a: Box, b: Box): boolean => a.x0 === b.x0 && a.x1 === b.x1 && a.y0 === b.y0 && a.y1 === b.y1;

/** In the middle of its top, of its foot and of a side. */
function hasBorder({ width, data }: Contrast, { x0, y0, x1, y1 }: Box, least: number): boolean {
  const [thirdX, thirdY] = [Math.floor((x1 - x0) / 3), Math.floor((y1 - y0) / 3)];
  const isInked = (box: Box) => {
    for (let y = box.y0; y < box.y1; y++)
      for (let x = box.x0; x < box.x1; x++) if ((data[y * width + x] as number) >= least) return true;
    return false;
  };
  const middle = { x0: x0 + thirdX, x1: x1 - thirdX, y0: y0 + thirdY, y1: y1 - thirdY };
  return (
    isInked({ ...middle, y0, y1: y0 + BORDER }) &&
    isInked({ ...middle, y0: y1 - BORDER, y1 }) &&
    (isInked({ ...middle, x0, x1: x0 + BORDER }) || isInked({ ...middle, x0: x1 - BORDER, x1 }))
  );
}

/** Times as wide as high. */
const BAR = 3;
const BARS = 3;

/** Three equal bars above each other open a menu. */
export function isMenu(contrast: Contrast, { from, to }: Span): boolean {
  const bars = piecesOf(contrast).filter(({ x0, x1 }) => x0 >= from && x1 <= to);
  const { x0, x1 } = boxOf(bars);
  return (
    bars.length === BARS &&
    bars.every((bar) => bar.x0 === x0 && bar.x1 === x1 && x1 - x0 >= BAR * (bar.y1 - bar.y0))
  );
}

/** An arrow that points down is wider than a v and lower than small letters: by its height, and that of the text. */
const ARROW_WIDE = 1.4;
const ARROW_HIGH = 0.6;
/** Rows. */
const LEAST_ARROW = 3;
/** Its point, of its width. */
const POINT = 0.5;

/** The arrow of a control that opens a list: each row lies within the one above it. */
export function isArrow(contrast: Contrast, sign: Span, text: Span): boolean {
  const pieces = piecesOf(contrast);
  const [arrow, ...more] = pieces.filter(({ x0, x1 }) => x0 >= sign.from && x1 <= sign.to);
  const letters = pieces.filter(({ x0, x1 }) => x0 >= text.from && x1 <= text.to);
  if (!arrow || more.length > 0 || !pointsDown(arrow, contrast)) return false;
  const { y0, y1 } = boxOf(letters);
  return arrow.y1 - arrow.y0 <= ARROW_HIGH * (y1 - y0);
}

/** A small arrow below the feet of the letters, where no sign of a text lies but a bar. */
export function isLowArrow(contrast: Contrast, sign: Span): boolean {
  const pieces = piecesOf(contrast);
  const [arrow, ...more] = pieces.filter(({ x0, x1 }) => x0 >= sign.from && x1 <= sign.to);
  const letters = pieces.filter(({ x1 }) => x1 <= sign.from);
  if (!arrow || more.length > 0 || letters.length < LEAST_LETTERS) return false;
  return arrow.y0 >= feetOf(letters) && pointsDown(arrow, contrast);
}

function pointsDown({ x0, y0, x1, y1, places }: Piece, { width }: Contrast): boolean {
  const [wide, high] = [x1 - x0, y1 - y0];
  if (high < LEAST_ARROW || wide < ARROW_WIDE * high) return false;
  const rows = Array.from({ length: high }, (_, i) => {
    const columns = places
      .filter((place) => Math.floor(place / width) === y0 + i)
      .map((place) => place % width);
    return { from: Math.min(...columns), to: Math.max(...columns) + 1 };
  });
  const point = rows.at(-1);
  return (
    rows.every(({ from, to }, i) => {
      const above = rows[i - 1];
      return !above || (from >= above.from && to <= above.to);
    }) &&
    point !== undefined &&
    point.to - point.from <= POINT * wide
  );
}

/** Of most letters. */
function feetOf(letters: readonly Box[]): number {
  const feet = letters.map(({ y1 }) => y1).sort((a, b) => a - b);
  return feet[Math.floor(feet.length / 2)] ?? 0;
}

const boxOf = (boxes: readonly Box[]): Box => ({
  x0: Math.min(...boxes.map(({ x0 }) => x0)),
  y0: Math.min(...boxes.map(({ y0 }) => y0)),
  x1: Math.max(...boxes.map(({ x1 }) => x1)),
  y1: Math.max(...boxes.map(({ y1 }) => y1)),
});
