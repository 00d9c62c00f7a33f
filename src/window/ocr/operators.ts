import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import type { Glyph, Line } from './glyphs.ts';
import { STROKE } from './pieces.ts';

/** By the width of the sign: the dot of a ÷, how far it may be off the middle, and the foot of a ±. */
const DOT = 0.45;
const CENTRED = 0.15;
const FOOT = 0.7;

/** A lone `÷` or `±`, which the recognizer takes for another sign; undefined when it is none. */
export function operatorOf(text: string, pieces: readonly Box[], ink: Contrast): string | undefined {
  if (!/^[-+–—÷±]$/.test(text)) return undefined;
  const x0 = Math.min(...pieces.map((piece) => piece.x0));
  const x1 = Math.max(...pieces.map((piece) => piece.x1));
  const [top, ...more] = [...pieces].sort((a, b) => a.y0 - b.y0);
  const foot = pieces.find(({ y1 }) => pieces.every((other) => other.y1 <= y1));
  if (!top || !foot) return undefined;
  const wide = x1 - x0;
  const isDot =
    more.length > 0 &&
    top.x1 - top.x0 <= DOT * wide &&
    Math.abs(top.x0 + top.x1 - x0 - x1) / 2 <= CENTRED * wide &&
    // The dot below is as wide as the one above, and hangs on the bar or stands alone.
    widthOf(ink, foot.y1 - 2) <= DOT * wide;
  if (isDot) return '÷';
  return text === '+' && widthOf(ink, foot.y1 - 2) >= FOOT * wide ? '±' : undefined;
}

/** Ink of a row, pixels. */
function widthOf({ width, data }: Contrast, y: number): number {
  return data.subarray(y * width, (y + 1) * width).filter((value) => value >= STROKE).length;
}

const RAISED: Readonly<Record<string, string>> = { 1: '¹', 2: '²', 3: '³' };
/** Of the height of the line, above its feet. */
const LEAST_RAISED = 0.25;

/** Digits behind a letter that stand above the feet of the line: m³, x². */
export const raisedDigits = (glyphs: readonly Glyph[], { baseline, height }: Line): Glyph[] =>
  glyphs.map((glyph, i) => {
    const raised = RAISED[glyph.text];
    const isRaised = glyph.box && baseline - glyph.box.y1 >= LEAST_RAISED * height;
    return raised && isRaised && /[\p{L})]/u.test(glyphs[i - 1]?.text ?? '')
      ? { ...glyph, text: raised }
      : glyph;
  });
