import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';

/** Of the height of a line; letters of one word are closer, and words are not. */
const LETTER_GAP = 0.1;
/** Higher boxes are controls, whose edge is their end, pixels. */
const MOST_HEIGHT = 24;
/** Levels between ground and ink. */
const INK = 60;
/** Of the width of the box; what is longer is no rest of a word. */
const MOST_ADDED = 0.5;

/** By the height of a box: a blank, a tail such as `()`, the height of its ink, and the ground behind it. */
const BLANK = 0.35;
const TAIL = 0.6;
const HIGH = 0.4;
const APART = 1.5;

/** A box that ends in the middle of a word is widened to the end of it: part of a number is a wrong number. */
export function wholeLetters({ width, data }: Pixels, box: Box): Box {
  const { x0, y0, x1, y1 } = box;
  const height = y1 - y0;
  if (height > MOST_HEIGHT) return box;
  const gap = Math.max(2, Math.round(height * LETTER_GAP));
  const most = Math.max(height * 2, Math.round((x1 - x0) * MOST_ADDED));
  const inkIn = (x: number) => {
    const first = (y0 * width + x) * 3;
    const isInk = (y: number) =>
      [0, 1, 2].some(
        (c) => Math.abs((data[(y * width + x) * 3 + c] as number) - (data[first + c] as number)) > INK,
      );
    let inked = 0;
    for (let y = y0 + 1; y < y1; y++) if (isInk(y)) inked++;
    return inked;
  };
  // One row is a line of a frame that goes on from the text.
  const isEmpty = (x: number) => inkIn(x) < 2;
  const end = (from: number, step: 1 | -1) => {
    let last = from;
    for (let x = from, empty = 0; empty < gap; x += step) {
      if (x < 0 || x >= width) return last;
      // What goes on and on is a line or another text.
      if (Math.abs(x - from) > most) return from;
      if (isEmpty(x)) empty++;
      else [last, empty] = [x + step, 0];
    }
    return last;
  };
  const last = end(x1, 1);
  return { ...box, x0: end(x0 - 1, -1) + 1, x1: tailFrom(last) ?? last };

  /** End of a short high tail that a blank parts from the text, and wide ground from everything else. */
  function tailFrom(from: number): number | undefined {
    const first = nextInk(from, from + BLANK * height);
    if (first === undefined) return undefined;
    let tail = first;
    for (let x = first, empty = 0; empty < gap + 1 && x < width; x++) {
      if (isEmpty(x)) empty++;
      else [tail, empty] = [x + 1, 0];
      if (tail - first > TAIL * height) return undefined;
    }
    const ground = tail + APART * height;
    if (ground > width || nextInk(tail, ground) !== undefined) return undefined;
    const isHigh = Array.from({ length: tail - first }, (_, i) => first + i).some(
      (x) => inkIn(x) >= HIGH * height,
    );
    return isHigh ? tail : undefined;
  }

  function nextInk(from: number, to: number): number | undefined {
    for (let x = from; x <= Math.min(to, width - 1); x++) if (!isEmpty(x)) return x;
    return undefined;
  }
}
