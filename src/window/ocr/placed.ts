import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import type { Glyph } from './glyphs.ts';
import { columnsOf, type Span } from './lines.ts';
import type { Piece } from './pieces.ts';

/**
 * Letters with the box of their own ink: the recognizer knows where a letter is to about half of one. A word of as many
 * separate columns of ink as letters has them in this order; others stay as they are.
 */
export function placed(glyphs: readonly Glyph[], ink: Contrast, pieces: readonly Piece[]): Glyph[] {
  const spans = columnsOf(ink);
  const found = [...glyphs];
  for (const { from, to } of wordsOf(glyphs)) {
    const boxes = glyphs.slice(from, to).flatMap(({ box }) => (box ? [box] : []));
    const [x0, x1] = [Math.min(...boxes.map((box) => box.x0)), Math.max(...boxes.map((box) => box.x1))];
    const own = spans.filter((span) => (span.from + span.to) / 2 > x0 && (span.from + span.to) / 2 < x1);
    if (own.length !== to - from || boxes.length !== to - from) continue;
    if (own.some((span, i) => !boxes[i] || span.to <= boxes[i].x0 || span.from >= boxes[i].x1)) continue;
    own.forEach((span, i) => {
      const glyph = glyphs[from + i];
      const box = bodyIn(pieces, span);
      if (glyph && box) found[from + i] = { ...glyph, box };
    });
  }
  return found;
}

function wordsOf(glyphs: readonly Glyph[]): Span[] {
  const words: Span[] = [];
  let from = 0;
  for (let at = 0; at <= glyphs.length; at++)
    if (at === glyphs.length || glyphs[at]?.text === ' ') {
      if (at > from) words.push({ from, to: at });
      from = at + 1;
    }
  return words;
}

/** Of the largest piece: a dot, an accent and a mark below the letter do not tell how high it is. */
function bodyIn(pieces: readonly Piece[], { from, to }: Span): Box | undefined {
  const [body] = pieces
    .filter(({ x0, x1 }) => x0 >= from && x1 <= to)
    .sort((a, b) => b.places.length - a.places.length);
  return body && { x0: from, y0: body.y0, x1: to, y1: body.y1 };
}
