import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { type Piece, piecesOf, STROKE } from './pieces.ts';

/** Sides of a badge, pixels. */
const LEAST_SIDE = 9;
/** Of its box, the badge with its letters. */
const FILLED = 0.7;
/** Of its box, the letters. */
const LETTERS = [0.03, 0.5] as const;
/** Between the letters and the edge, pixels. */
const LEAST_MARGIN = 1;

/** The largest filled surface that letters of another colour stand in, such as a badge over an icon. */
export function badgeOf(contrast: Contrast): Box | undefined {
  const [badge] = piecesOf(contrast)
    .filter((piece) => isBadge(contrast, piece))
    .sort((a, b) => b.places.length - a.places.length);
  return badge && { x0: badge.x0, y0: badge.y0, x1: badge.x1, y1: badge.y1 };
}

function isBadge({ width, data }: Contrast, { x0, y0, x1, y1, places }: Piece): boolean {
  const [w, h] = [x1 - x0, y1 - y0];
  if (w < LEAST_SIDE || h < LEAST_SIDE) return false;
  // Ground that the surface has at its left and right in the same row: letters, and no corners.
  let holes = 0;
  let [top, bottom] = [y1, y0];
  for (let y = y0; y < y1; y++) {
    const row = Array.from({ length: w }, (_, i) => (data[y * width + x0 + i] as number) >= STROKE);
    const inside = row.slice(row.indexOf(true), row.lastIndexOf(true)).filter((isInk) => !isInk).length;
    holes += inside;
    if (inside > 0) [top, bottom] = [Math.min(top, y), y + 1];
  }
  const area = w * h;
  return (
    places.length + holes >= FILLED * area &&
    holes >= LETTERS[0] * area &&
    holes <= LETTERS[1] * area &&
    top - y0 >= LEAST_MARGIN &&
    y1 - bottom >= LEAST_MARGIN
  );
}
