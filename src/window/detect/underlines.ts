import { colourDistance } from './colours.ts';
import type { ColourComponents } from './components.ts';

/** A thin stroke of one colour under a text. */
export interface Underline {
  x0: number;
  /** Exclusive. */
  x1: number;
  y: number;
}

/** Shorter ones may be the foot of a letter. Pixels. */
const LEAST_LENGTH = 10;
/** No foot of a letter is as long and as thin. Pixels. */
const LONG = 26;
const LEAST_STROKES = 3;
/** Pieces beside one that is long enough are shorter: descenders cut them. */
const LEAST_PIECE = 2;
const PIECE_GAP = 12;
const THICKEST = 2;
const REACH = 4;
const ALIKE = 48;

/**
 * Takes underlines out of the ink, so that letters stand apart again, and says where they were.
 *
 * @param isInk 1 for each pixel that lies on no surface; underlines are cleared in it
 */
export function takeUnderlines({ width, height, colour }: ColourComponents, isInk: Uint8Array): Underline[] {
  const share = (y: number, x0: number, x1: number): number => {
    if (y < 0 || y >= height) return 0;
    let count = 0;
    for (let p = y * width + x0; p < y * width + x1; p++) count += isInk[p] as number;
    return count / (x1 - x0);
  };
  const isSame = (y: number, x0: number, x1: number): boolean => {
    if (y < 0 || y >= height) return false;
    const wanted = colour[(y - 1) * width + x0] as number;
    for (let x = x0; x < x1; x++) if (colour[y * width + x] !== wanted) return false;
    return true;
  };
  /** Strokes that a row of pixels is cut into. */
  const strokes = (y: number, x0: number, x1: number): number => {
    let count = 0;
    for (let p = y * width + x0; p < y * width + x1; p++)
      if (isInk[p] && !(p > y * width + x0 && isInk[p - 1])) count++;
    return count;
  };
  /** Text has gaps, which a border or a fill has not, and more strokes than the foot of one letter. */
  const isBelowText = (y: number, x0: number, x1: number): boolean => {
    for (let up = 1; up <= REACH; up++) {
      const above = share(y - up, x0, x1);
      if (above > 0.9) return false;
      if (above >= 0.2) return x1 - x0 >= LONG || strokes(y - up, x0, x1) >= LEAST_STROKES;
    }
    return false;
  };
  const found: Underline[] = [];
  for (let y = 1; y < height - 1; y++) {
    const pieces: Underline[] = [];
    const base = y * width;
    for (let x = 0; x < width; ) {
      if (!isInk[base + x]) {
        x++;
        continue;
      }
      const start = x;
      const own = colour[base + x];
      while (x < width && isInk[base + x] && colour[base + x] === own) x++;
      if (x - start >= LEAST_PIECE) pieces.push({ x0: start, x1: x, y });
    }
    const sure = pieces.filter(({ x0, x1 }) => {
      if (x1 - x0 < LEAST_LENGTH || !isBelowText(y, x0, x1)) return false;
      let thick = 1;
      while (thick <= THICKEST && isSame(y + thick, x0, x1)) thick++;
      return thick <= THICKEST && share(y + thick, x0, x1) < 0.4;
    });
    if (sure.length === 0) continue;
    // Both go from left to right.
    let next = 0;
    for (const piece of pieces) {
      while (next < sure.length && piece.x0 - (sure[next] as Underline).x1 > PIECE_GAP) next++;
      let isPart = false;
      for (let k = next; k < sure.length && !isPart; k++) {
        const line = sure[k] as Underline;
        if (line.x0 - piece.x1 > PIECE_GAP) break;
        isPart = colour[base + line.x0] === colour[base + piece.x0];
      }
      if (isPart) found.push(piece);
    }
  }
  const whole: Underline[] = [];
  for (const line of found) {
    // The second row of a thick one.
    for (let y = line.y; y < line.y + THICKEST; y++) {
      if (y > line.y && !isSame(y, line.x0, line.x1)) break;
      isInk.fill(0, y * width + line.x0, y * width + line.x1);
    }
    const last = whole.at(-1);
    if (last && last.y === line.y && line.x0 - last.x1 <= PIECE_GAP && isCrossed(colour, width, last, line))
      last.x1 = line.x1;
    else whole.push({ ...line });
  }
  return whole;
}

/** Whether a letter of the same text and neither a space nor a separator parts two pieces. */
function isCrossed(colour: Int32Array, width: number, left: Underline, right: Underline): boolean {
  if (right.x0 - left.x1 <= 1) return true;
  const own = colour[left.y * width + left.x0] as number;
  for (let x = left.x1; x < right.x0; x++)
    if (colourDistance(colour[left.y * width + x] as number, own) < ALIKE) return true;
  return false;
}
