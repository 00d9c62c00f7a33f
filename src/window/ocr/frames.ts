import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';

/** Ink from here on belongs to a stroke, of 255. */
export const STROKE = 90;
/** Corners of rounded controls show the page behind them, pixels. */
const CORNER = 8;
/** Thickness of borders and lines, pixels. */
const THIN = 3;

interface Piece extends Box {
  places: number[];
}

/** Erases what is no letter: the frame of a control, its corners, the lines between cells. */
export function eraseFrames(contrast: Contrast): void {
  for (const piece of pieces(contrast)) if (isFrame(piece, contrast)) erase(contrast, piece);
}

function isFrame({ x0, y0, x1, y1 }: Piece, { width, height }: Contrast): boolean {
  const [left, top, right, bottom] = [x0 === 0, y0 === 0, x1 === width, y1 === height];
  if ((left && right) || (top && bottom)) return true;
  const [w, h] = [x1 - x0, y1 - y0];
  if ((left || right) && (top || bottom) && w <= CORNER && h <= CORNER) return true;
  if ((left || right) && w <= THIN && h > height / 2) return true;
  if ((top || bottom) && h <= THIN && w > height) return true;
  // A border inside the box.
  return w > 0.85 * width && h > 0.85 * height && width > 2 * height;
}

/** Of the width of the text; an underline is interrupted where letters hang down. */
const UNDERLINED = 0.55;
/** Shorter texts keep theirs, in heights of the line: the bar of a 4 is not to be taken for one. */
const LEAST_UNDERLINED = 2;
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
  if (ending.length > 0) return;
  for (const x of inked) {
    if (isInk(x, top - 1) && isInk(x, bottom + 1)) continue;
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

/** Ink that hangs together, also over corners. */
function pieces({ width, height, data }: Contrast): Piece[] {
  const seen = new Uint8Array(data.length);
  const found: Piece[] = [];
  for (let start = 0; start < data.length; start++) {
    if (seen[start] || (data[start] as number) < STROKE) continue;
    const piece: Piece = { x0: width, y0: height, x1: 0, y1: 0, places: [start] };
    seen[start] = 1;
    for (let i = 0; i < piece.places.length; i++) {
      const place = piece.places[i] as number;
      const [x, y] = [place % width, Math.floor(place / width)];
      piece.x0 = Math.min(piece.x0, x);
      piece.y0 = Math.min(piece.y0, y);
      piece.x1 = Math.max(piece.x1, x + 1);
      piece.y1 = Math.max(piece.y1, y + 1);
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx;
          if (seen[next] || (data[next] as number) < STROKE) continue;
          seen[next] = 1;
          piece.places.push(next);
        }
    }
    found.push(piece);
  }
  return found;
}
