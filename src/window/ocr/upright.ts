import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import type { Glyph, Line } from './glyphs.ts';
import { STROKE } from './pieces.ts';

/** By the height of capitals: how wide an upright stroke is, and how far its ends may be from where letters end. */
const STROKE_WIDTH = 0.24;
const NEAR = 0.1;
/** Least difference between the tops of capitals and of high small letters that tells them apart. */
const APART = 0.045;
/** Of the strongest row of a stroke; the gap below the dot of an i is fainter. */
const UNBROKEN = 0.8;

const CAPITAL = /[ABDEFHKLMNPRTUVWXYZ]/;
const HIGH_SMALL = /[bdhkl]/;

/** `I`, `l`, `i` and `[` are all upright strokes: their tops, the gap of an i and the arms of a bracket tell which. */
export function uprightLetters(glyphs: readonly Glyph[], ink: Contrast, line: Line): Glyph[] {
  return glyphs.map((glyph, i) => {
    const { text, box } = glyph;
    if (!box || !/^[Ili[]$/.test(text) || !isStroke(box, ink, line)) return glyph;
    const tops = (kind: RegExp) =>
      median(
        glyphs.flatMap((other, j) => (j !== i && other.box && kind.test(other.text) ? [other.box.y0] : [])),
      );
    const top = topOf(box, tops(CAPITAL), tops(HIGH_SMALL), line);
    if (top !== undefined) return { ...glyph, text: top === 'capital' ? 'I' : 'l' };
    const isClosed = glyphs.slice(i).some((other) => other.text === ']');
    const [before, after] = [glyphs[i - 1]?.text ?? ' ', glyphs[i + 1]?.text ?? ' '];
    const isCapital = (text === 'i' && before !== 'f') || (text === '[' && !isClosed);
    return isCapital && /\p{Ll}/u.test(after) ? { ...glyph, text: 'I' } : glyph;
  });
}

/** Undefined when the two are as high, or one of them is not there. */
function topOf(
  { y0 }: Box,
  capital: number | undefined,
  small: number | undefined,
  { height }: Line,
): 'capital' | 'small' | undefined {
  if (capital === undefined || small === undefined || capital - small < APART * height) return undefined;
  const near = (capital - small) / 3;
  if (Math.abs(y0 - capital) <= near) return 'capital';
  return Math.abs(y0 - small) <= near ? 'small' : undefined;
}

/** From the top of the line to its feet, narrow and without a gap. */
function isStroke({ x0, y0, x1, y1 }: Box, { width, data }: Contrast, line: Line): boolean {
  const { baseline, height, small } = line;
  if (x1 - x0 > STROKE_WIDTH * height || Math.abs(y1 - baseline) > NEAR * height) return false;
  if (Math.abs(baseline - y0 - height) > NEAR * height) return false;
  // The top of the line may come from a letter whose place is wrong.
  if (small !== undefined && small - y0 < NEAR * height) return false;
  const rows = Array.from({ length: y1 - y0 }, (_, i) =>
    Math.max(...data.subarray((y0 + i) * width + x0, (y0 + i) * width + x1)),
  ).slice(2, -2);
  return Math.min(...rows) >= Math.max(STROKE, UNBROKEN * Math.max(...rows));
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
