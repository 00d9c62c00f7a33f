import type { Contrast } from './contrast.ts';
import type { TextCrop } from './crop.ts';
import { inkOf } from './crop-ink.ts';
import { columnsOf, type Span } from './lines.ts';
import { isColon } from './marks.ts';
import { piecesOf } from './pieces.ts';
import { partedLines } from './touching-lines.ts';

/** Columns without ink between a label and its value, by the rows of the crop. */
const APART = 0.2;
/** Rows of a line in the image at least, and columns of a word by those rows. */
const LEAST_ROWS = 6;
const LEAST_WIDE = 1;
/** By the rows of the highest line: what has fewer is the dots of its letters. */
const ALIKE = 0.4;
/** Of the box of a word, its ink at most: bars and dots of `=`, `:` and `÷` have more. */
const MOST_INK = 0.7;

/**
 * Whether a part of what looks like one line has two lines itself, as a label beside a large value: one text of the whole would mix
 * letters of both lines.
 */
export function hasLabelBeside({ picture, scale, height }: TextCrop): boolean {
  if (height < 2 * LEAST_ROWS) return false;
  const ink = inkOf(picture);
  const parts: Span[] = [];
  for (const column of columnsOf(ink)) {
    const last = parts.at(-1);
    if (last && column.from - last.to < APART * height * scale) last.to = column.to;
    else parts.push({ ...column });
  }
  return parts.some((part) => {
    const own = columnsBetween(ink, part);
    if (isColon(piecesOf(own))) return false;
    const { lines } = partedLines(own);
    const isWord = (rows: Span) =>
      rows.to - rows.from >= LEAST_ROWS * scale &&
      own.width >= LEAST_WIDE * (rows.to - rows.from) &&
      inkShare(own, rows) <= MOST_INK;
    const highest = Math.max(...lines.map(({ from, to }) => to - from));
    return lines.filter((rows) => rows.to - rows.from >= ALIKE * highest && isWord(rows)).length > 1;
  });
}

/** Of the box of the ink in these rows, 0 to 1. */
function inkShare({ width, data }: Contrast, { from, to }: Span): number {
  let [left, right, sum] = [width, 0, 0];
  for (let y = from; y < to; y++)
    for (let x = 0; x < width; x++) {
      const ink = data[y * width + x] as number;
      sum += ink;
      if (ink === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
    }
  return sum / (255 * Math.max(1, right - left) * (to - from));
}

function columnsBetween({ width, height, data }: Contrast, { from, to }: Span): Contrast {
  const part = new Uint8Array((to - from) * height);
  for (let y = 0; y < height; y++) part.set(data.subarray(y * width + from, y * width + to), y * (to - from));
  return { width: to - from, height, data: part };
}
