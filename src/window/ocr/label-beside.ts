import type { Contrast } from './contrast.ts';
import type { TextCrop } from './crop.ts';
import { columnsOf, type Span } from './lines.ts';
import { inkOf } from './shown-text.ts';
import { partedLines } from './touching-lines.ts';

/** Columns without ink between a label and its value, by the rows of the crop. */
const APART = 0.2;
/** Rows of a line in the image at least, and columns of a word by those rows. */
const LEAST_ROWS = 6;
const LEAST_WIDE = 1;

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
    const { lines } = partedLines(columnsBetween(ink, part));
    const isWord = ({ from, to }: Span) =>
      to - from >= LEAST_ROWS * scale && part.to - part.from >= LEAST_WIDE * (to - from);
    return lines.filter(isWord).length > 1;
  });
}

function columnsBetween({ width, height, data }: Contrast, { from, to }: Span): Contrast {
  const part = new Uint8Array((to - from) * height);
  for (let y = 0; y < height; y++) part.set(data.subarray(y * width + from, y * width + to), y * (to - from));
  return { width: to - from, height, data: part };
}
