import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import type { Contrast } from './contrast.ts';
import { type Glyph, lineOf, textOf } from './glyphs.ts';
import { columnsOf } from './lines.ts';
import { byShape } from './look-alikes.ts';
import { isCross, stopsAndCommas, withLostMarks } from './marks.ts';
import { operatorOf, raisedDigits } from './operators.ts';
import { piecesOf } from './pieces.ts';
import { placed } from './placed.ts';
import { uprightLetters } from './upright.ts';

/** As the recognizer gives it; the boxes are places on the crop. */
export interface ReadWord {
  bbox: Box;
  symbols: { text: string; bbox: Box }[];
}

/** Blanks are not wider than this between letters that stand together, of the height of capitals. */
const NO_BLANK = 0.12;
const ABOUT = 0.5;

/** The text, with what the crop shows and the recognizer overlooks. */
export function shownText(words: readonly ReadWord[], picture: Pixels): string {
  const read: Glyph[] = words.flatMap(({ symbols }, i) => [
    ...(i > 0 ? [{ text: ' ' }] : []),
    ...symbols.map(({ text, bbox }) => ({ text, box: bbox })),
  ]);
  const ink = inkOf(picture);
  const pieces = piecesOf(ink);
  const glyphs = placed(read, ink, pieces);
  const line = lineOf(glyphs);
  if (isCross(textOf(glyphs), pieces)) return '×';
  const operator = operatorOf(textOf(glyphs), pieces, ink);
  if (operator) return operator;
  if (!line) return textOf(glyphs);
  const letters = raisedDigits(uprightLetters(byShape(glyphs, ink, line), ink, line), line);
  const marked = withLostMarks(stopsAndCommas(letters, pieces, line), pieces, line);
  // An underline is no ink between words.
  const above = { ...ink, height: Math.min(ink.height, Math.floor(line.baseline)) };
  const close = marked.filter(({ text }, i) => {
    const [before, after] = [marked[i - 1]?.box, marked[i + 1]?.box];
    return (
      text !== ' ' ||
      !before ||
      !after ||
      widestGap(above, before, after, ABOUT * line.height) > NO_BLANK * line.height
    );
  });
  return textOf(close);
}

/** Of a crop, which is dark on white. */
export const inkOf = ({ width, height, data }: Pixels): Contrast => ({
  width,
  height,
  data: data.filter((_, i) => i % 3 === 0).map((value) => 255 - value),
});

/** Columns without ink about the place between two letters; the recognizer knows it to half a letter. */
function widestGap(ink: Contrast, before: Box, after: Box, about: number): number {
  const middle = (before.x1 + after.x0) / 2;
  const spans = columnsOf(ink);
  const gaps = spans.slice(1).map(({ from }, i) => ({ from: spans[i]?.to ?? from, to: from }));
  return Math.max(
    0,
    ...gaps
      .filter(({ from, to }) => to > middle - about && from < middle + about)
      .map(({ from, to }) => to - from),
  );
}
