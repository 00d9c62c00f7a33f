import type { Contrast } from './contrast.ts';
import { type Piece, piecesOf, STROKE } from './pieces.ts';

/** Of a line below a letter, pixels: how thick, how long, and how far below the letter. */
const THIN = 2;
const LEAST_LONG = 4;
const MOST_BELOW = 3;
/** Lower pieces are not letters: the bars of an = lie above each other as well. Pixels. */
const LEAST_LETTER = 5;
/** Of the columns of the longer one, those they share; the hook of a g is narrower than the g. */
const COVERED = 0.7;
/** Of its box, the ink of a line; the hook of a g is bent. */
const FILLED = 0.95;
/** Fewer are a sign such as ±. */
const LEAST_PIECES = 3;

/** Erases lines below single letters: the key of a menu's word, and links whose underline leaves out what hangs down. */
export function eraseLetterLines(contrast: Contrast): void {
  const pieces = piecesOf(contrast);
  if (pieces.length < LEAST_PIECES) return;
  for (const line of pieces) {
    const [long, thick] = [line.x1 - line.x0, line.y1 - line.y0];
    if (thick > THIN || long < LEAST_LONG || line.places.length < FILLED * long * thick) continue;
    if (pieces.some((letter) => isAbove(letter, line) && !isPlus(letter, contrast.width)))
      erase(contrast, line);
  }
}

/** Of the sides of a plus, the corners that are empty. */
const CORNER = 0.3;

/** A plus with a line below it is a `±`. */
function isPlus({ x0, y0, x1, y1, places }: Piece, width: number): boolean {
  const [dx, dy] = [CORNER * (x1 - x0), CORNER * (y1 - y0)];
  return places.every((place) => {
    const [x, y] = [(place % width) + 0.5, Math.floor(place / width) + 0.5];
    return (x > x0 + dx && x < x1 - dx) || (y > y0 + dy && y < y1 - dy);
  });
}

/** An underscore has no letter above it. */
function isAbove({ x0, y0, x1, y1 }: Piece, line: Piece): boolean {
  const below = line.y0 - y1;
  const shared = Math.min(x1, line.x1) - Math.max(x0, line.x0);
  return (
    y1 - y0 >= LEAST_LETTER &&
    below >= 0 &&
    below <= MOST_BELOW &&
    shared >= COVERED * Math.max(line.x1 - line.x0, x1 - x0)
  );
}

/** With the soft rows beside it. */
function erase({ width, height, data }: Contrast, { x0, y0, x1, y1 }: Piece): void {
  for (let y = Math.max(0, y0 - 1); y < Math.min(height, y1 + 1); y++)
    for (let x = Math.max(0, x0 - 1); x < Math.min(width, x1 + 1); x++) {
      const isBeside = y < y0 || y >= y1 || x < x0 || x >= x1;
      if (!isBeside || (data[y * width + x] as number) < STROKE) data[y * width + x] = 0;
    }
}
