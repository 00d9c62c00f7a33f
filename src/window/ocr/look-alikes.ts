import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { type Glyph, type Line, SMALL_SHARE } from './glyphs.ts';
import { STROKE } from './pieces.ts';

/** Small letters and capitals of one shape. */
const ONE_SHAPE = /[CcOoSsUuVvWwXxZz]/;
/** Of the way from small letters to capitals: what is nearer to one of them is that one. */
const SURELY = 0.3;
/** By the height of capitals: how far a bar hangs below the letters, and how wide one is. */
const HANGS = 0.12;
const BAR = 0.3;
/** Of the width of a g; the foot of a q is narrower. */
const FOOT = 0.36;
/** Of 255; soft ink belongs to a hook as well. */
const SOFT = 50;

type Beside = readonly [before: string, after: string];

/** Letters that look alike but for their size or one stroke, by what the crop shows. */
export function byShape(glyphs: readonly Glyph[], ink: Contrast, line: Line): Glyph[] {
  const shown: Glyph[] = [];
  for (const [i, glyph] of glyphs.entries()) {
    const { text, box } = glyph;
    const [before, after] = [shown.at(-1), glyphs[i + 1]];
    const isAlone = box && [before, after].every((other) => !other?.box || !isShared(box, other.box));
    const beside: Beside = [before?.text ?? ' ', after?.text ?? ' '];
    const letter = isAlone && text.length === 1 ? shownLetter(text, box, beside, ink, line) : undefined;
    shown.push(letter === undefined ? glyph : { ...glyph, text: letter });
  }
  return shown;
}

/** Boxes of letters that hang together say little of one of them. */
const isShared = (a: Box, b: Box): boolean => Math.min(a.x1, b.x1) > Math.max(a.x0, b.x0);

function shownLetter(text: string, box: Box, beside: Beside, ink: Contrast, line: Line): string | undefined {
  if (ONE_SHAPE.test(text)) return inCase(text, box, beside, line);
  if (/[lI!|]/.test(text)) return isBar(box, line) ? '|' : undefined;
  return text === 'g' && isOnStem(box, ink, line) ? 'q' : undefined;
}

/** A capital begins a word or follows one, and a small letter ends capitals (URLs); elsewhere the recognizer is right. */
function inCase(
  text: string,
  { y0, y1 }: Box,
  [before, after]: Beside,
  { baseline, height, capital, small }: Line,
): string | undefined {
  // Letters that tell how high the others are.
  if (capital === undefined && small === undefined) return undefined;
  if (Math.abs(y1 - baseline) > HANGS * height) return undefined;
  const smallHeight = small === undefined ? SMALL_SHARE * height : baseline - small;
  const share = (baseline - y0 - smallHeight) / (height - smallHeight);
  if (!/\p{Ll}/u.test(before) && Math.abs(share - 1) < SURELY) return text.toUpperCase();
  const isEnd = /\p{Lu}/u.test(before) && !/\p{L}/u.test(after);
  return isEnd && Math.abs(share) < SURELY ? text.toLowerCase() : undefined;
}

const isBar = ({ x0, y0, x1, y1 }: Box, { baseline, height }: Line): boolean =>
  y1 - baseline >= HANGS * height && baseline - y0 >= 0.9 * height && x1 - x0 <= BAR * height;

/** A q stands on its stem, a g on a hook. */
function isOnStem(box: Box, { width, data }: Contrast, { baseline, height }: Line): boolean {
  const from = Math.round(baseline + HANGS * height);
  if (box.y1 - from < HANGS * height) return false;
  let [left, right, strongest] = [box.x1, box.x0, 0];
  for (let y = from; y < box.y1; y++)
    for (let x = box.x0; x < box.x1; x++) {
      const value = data[y * width + x] as number;
      if (value < SOFT) continue;
      [left, right, strongest] = [Math.min(left, x), Math.max(right, x + 1), Math.max(strongest, value)];
    }
  const wide = box.x1 - box.x0;
  return strongest >= STROKE && right - left <= FOOT * wide && left >= box.x0 + wide / 2;
}
