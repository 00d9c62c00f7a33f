import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { FAINT, type Piece, piecesOf, STROKE } from './pieces.ts';

/** Corners of rounded controls show the page behind them, pixels; and by the height of the control. */
const CORNER = 8;
const CORNER_OF_HEIGHT = 0.25;
/** Pixels from the corner of a box to what is left of a round one there, and of how many of the four at least. */
const NEAR_CORNER = 4;
const LEAST_CORNERS = 3;
/** Lower boxes hold a line of text alone, pixels. */
const LEAST_FRAMED = 20;
/** Thickness of borders and lines, pixels. */
const THIN = 3;

/** Erases what is not a letter: the frame of a control, its corners, the lines between cells. */
export function eraseFrames(contrast: Contrast): void {
  const inside = insideOf(contrast);
  const pieces = piecesOf(contrast);
  const corners = cornersAmong(pieces, contrast);
  for (const piece of pieces)
    if (corners.includes(piece) || isFrame(piece, contrast, inside)) erase(contrast, piece);
}

/** What a round border leaves in the corners of its box, when its sides are the page's colour: the same in most of them. */
function cornersAmong(pieces: readonly Piece[], { width, height }: Contrast): Piece[] {
  if (height <= LEAST_FRAMED) return [];
  const small = pieces.filter(({ x0, y0, x1, y1 }) => x1 - x0 <= CORNER && y1 - y0 <= CORNER);
  const found = [true, false].flatMap((isLeft) =>
    [true, false].flatMap((isTop) =>
      small
        .filter(
          ({ x0, y0, x1, y1 }) =>
            (isLeft ? x0 : width - x1) <= NEAR_CORNER && (isTop ? y0 : height - y1) <= NEAR_CORNER,
        )
        .slice(0, 1),
    ),
  );
  return found.length >= LEAST_CORNERS ? found : [];
}

/** Of the width of a box; without a gap, which the feet of letters have. */
const BORDER = 0.7;
/** Of the height inside; round corners leave no more. */
const SIDE = 0.5;
/** How far inside the border may run: of the height, and pixels, since letters keep a distance from it. */
const DEEPEST = 0.25;
const DEEPEST_SIDE = 5;

/** What the border of a control surrounds; the border and what is outside of it are erased. Without a border all of it. */
function insideOf(contrast: Contrast): Box {
  const { width, height, data } = contrast;
  const inside = { x0: 0, y0: 0, x1: width, y1: height };
  if (height <= LEAST_FRAMED) return inside;
  const inked = (x: number, y: number) => (data[y * width + x] as number) >= FAINT;
  const isRow = (y: number) => longestRun(0, width, (x) => inked(x, y)) >= BORDER * width;
  const down = Math.floor(height * DEEPEST);
  for (let y = 0; y < down; y++) if (isRow(y)) inside.y0 = y + 1;
  for (let y = height - 1; y >= height - down; y--) if (isRow(y)) inside.y1 = y;
  // The side of a box without a top or a foot may be the stroke of a letter.
  if (inside.y0 > 0 || inside.y1 < height) {
    const side = SIDE * (inside.y1 - inside.y0);
    const isSide = (x: number) => longestRun(inside.y0, inside.y1, (y) => inked(x, y)) >= side;
    for (let x = 0; x < DEEPEST_SIDE; x++) if (isSide(x)) inside.x0 = x + 1;
    for (let x = width - 1; x >= width - DEEPEST_SIDE; x--) if (isSide(x)) inside.x1 = x;
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (x < inside.x0 || x >= inside.x1 || y < inside.y0 || y >= inside.y1) data[y * width + x] = 0;
  return inside;
}

function longestRun(from: number, to: number, isInk: (at: number) => boolean): number {
  let longest = 0;
  for (let at = from, run = 0; at < to; at++) {
    run = isInk(at) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function isFrame({ x0, y0, x1, y1 }: Piece, { width, height }: Contrast, inside: Box): boolean {
  const [left, top, right, bottom] = [x0 <= inside.x0, y0 <= inside.y0, x1 >= inside.x1, y1 >= inside.y1];
  if ((left && right) || (top && bottom)) return true;
  const [w, h] = [x1 - x0, y1 - y0];
  const corner = Math.max(CORNER, CORNER_OF_HEIGHT * height);
  if ((left || right) && (top || bottom) && w <= corner && h <= corner) return true;
  if ((left || right) && w <= THIN && h > height / 2) return true;
  if ((top || bottom) && h <= THIN && w > height) return true;
  // A border inside the box.
  return w > 0.85 * width && h > 0.85 * height && width > 2 * height;
}

/** Of the width of the text; an underline is interrupted where letters hang down. */
const UNDERLINED = 0.55;
/** Shorter texts keep theirs, in heights of the line: the bar of a 4 is not to be taken for one. */
const LEAST_UNDERLINED = 2;
/** Of the width of the text; the tail of a Q ends in its underline, and all the letters stand on their feet. */
const MOST_ENDING = 0.03;
/** Rows of letters above an underline, at least. */
const LEAST_LETTERS = 6;

/** Erases the underline of a link, but for the strokes that go through it. @param line box of one line of text */
export function eraseUnderline({ width, data }: Contrast, { x0, y0, x1, y1 }: Box): void {
  const isInk = (x: number, y: number) => y >= y0 && y < y1 && (data[y * width + x] as number) >= STROKE;
  const columns = Array.from({ length: x1 - x0 }, (_, i) => x0 + i);
  const inked = columns.filter((x) =>
    Array.from({ length: y1 - y0 }, (_, i) => y0 + i).some((y) => isInk(x, y)),
  );
  if (inked.length < LEAST_UNDERLINED * (y1 - y0)) return;
  const isLine = (y: number) => inked.filter((x) => isInk(x, y)).length >= UNDERLINED * inked.length;
  let bottom = y1 - 1;
  while (bottom > y0 + LEAST_LETTERS && !isLine(bottom)) bottom--;
  let top = bottom;
  while (top > y0 + LEAST_LETTERS && isLine(top - 1)) top--;
  if (!isLine(bottom) || bottom < y0 + (y1 - y0) * 0.6 || bottom - top >= THIN) return;
  // The foot of an L or a 2 hangs on its letter; what touches an underline goes through it.
  const touching = inked.filter((x) => isInk(x, top - 1));
  const ending = touching.filter(
    (x) => !isInk(x, bottom + 1) && !isInk(x - 1, bottom + 1) && !isInk(x + 1, bottom + 1),
  );
  if (ending.length > MOST_ENDING * inked.length) return;
  for (const x of inked) {
    // A stroke may lean, or bend below the line.
    const [above, below] = [top - 1, bottom + 1].map((y) => [x - 1, x, x + 1].map((at) => isInk(at, y)));
    if ((above?.[1] && below?.includes(true)) || (below?.[1] && above?.includes(true))) continue;
    for (let y = top; y <= bottom; y++) data[y * width + x] = 0;
    for (const y of [top - 1, bottom + 1])
      if (y >= y0 && y < y1 && (data[y * width + x] as number) < STROKE) data[y * width + x] = 0;
  }
}

/** With the soft pixels around it. */
function erase({ width, height, data }: Contrast, { places }: Piece): void {
  for (const place of places) {
    const [x, y] = [place % width, Math.floor(place / width)];
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) data[ny * width + nx] = 0;
  }
}
