import type { Box } from '../detect/element.ts';
import type { Glyph, Line } from './glyphs.ts';

/** Sizes by the height of capitals. */
const DOT = 0.34;
const NEAR = 0.15;
const CROSS = 0.06;
const APART = 0.06;
const FLAT = 0.26;
const LEAST_BAR = 0.3;
const HYPHEN = [0.2, 0.75] as const;
/** Of the height of capitals, above the baseline. */
const MIDDLE = [0.2, 0.65] as const;
/** Advance of an underscore. */
const UNDERSCORE = 0.76;
const MOST_UNDERSCORES = 4;

/** Small marks are lost by the recognizer more often than letters: those that stand alone on the crop are put back. */
export function withLostMarks(glyphs: readonly Glyph[], pieces: readonly Box[], line: Line): Glyph[] {
  const found = [...glyphs];
  for (const piece of pieces) {
    const others = pieces.filter((other) => other !== piece && shared(other, piece) > 0);
    if (!standsAlone(piece, others, pieces, line)) continue;
    const mark = markOf(piece, others, line);
    if (mark) put(found, mark, line);
  }
  return found;
}

/** A piece close to another one may have broken off it. */
const standsAlone = (piece: Box, above: readonly Box[], pieces: readonly Box[], { height }: Line): boolean =>
  pieces.every(
    (other) => other === piece || above.includes(other) || -shared(other, piece) >= APART * height,
  );

function markOf(piece: Box, others: readonly Box[], { baseline, height }: Line): Required<Glyph> | undefined {
  const [width, depth] = [piece.x1 - piece.x0, piece.y1 - piece.y0];
  const isDot = (box: Box) => box.x1 - box.x0 <= DOT * height && box.y1 - box.y0 <= DOT * height;
  const stands = Math.abs(piece.y1 - baseline) <= NEAR * height;
  const [other] = others;
  if (isDot(piece) && stands && depth >= width * 0.7) {
    if (!other) return { text: '.', box: piece };
    const isPair =
      others.length === 1 && isDot(other) && other.y1 < piece.y0 && piece.y0 - other.y1 >= depth * 0.5;
    if (isPair && Math.abs(other.y1 - other.y0 - depth) <= NEAR * height)
      return { text: ':', box: { ...piece, y0: other.y0 } };
    return undefined;
  }
  if (depth > FLAT * height || other) return undefined;
  if (piece.y0 >= baseline - NEAR * height && width >= LEAST_BAR * height) {
    const count = Math.max(1, Math.round(width / (UNDERSCORE * height)));
    return count <= MOST_UNDERSCORES ? { text: '_'.repeat(count), box: piece } : undefined;
  }
  const above = (baseline - (piece.y0 + piece.y1) / 2) / height;
  const isHyphen =
    above >= MIDDLE[0] && above <= MIDDLE[1] && width >= HYPHEN[0] * height && width <= HYPHEN[1] * height;
  return isHyphen && width > depth * 1.3 ? { text: '-', box: piece } : undefined;
}

/** By the height of capitals: how far a comma hangs below the feet, and a full stop does not. */
const HANGS = 0.06;
const STANDS = 0.03;
const LONG = 1.3;

/** Full stops and commas by where their ink ends; the recognizer knows them by what stands around. */
export function stopsAndCommas(glyphs: readonly Glyph[], pieces: readonly Box[], line: Line): Glyph[] {
  const { baseline, height } = line;
  const isPoint = (glyph: Glyph | undefined) => glyph !== undefined && /^[.,]$/.test(glyph.text);
  return glyphs.map((glyph, i) => {
    const { box } = glyph;
    // Of several in a row nobody knows which is which.
    if (!box || !isPoint(glyph) || isPoint(glyphs[i - 1]) || isPoint(glyphs[i + 1])) return glyph;
    const isIn = (own: Box, { x0, x1 }: Box) => (x0 + x1) / 2 > own.x0 && (x0 + x1) / 2 < own.x1;
    const here = pieces.filter((piece) => isIn(box, piece));
    const [mark] = here;
    if (!mark || here.length !== 1 || mark.y0 < baseline - 2 * DOT * height) return glyph;
    // The recognizer may have taken the place of another letter for this one's.
    if (glyphs.some((other) => other !== glyph && other.box && isIn(other.box, mark))) return glyph;
    const [wide, high, below] = [mark.x1 - mark.x0, mark.y1 - mark.y0, mark.y1 - baseline];
    if (below >= HANGS * height && high >= LONG * wide) return { ...glyph, text: ',' };
    return below <= STANDS * height && high < LONG * wide ? { ...glyph, text: '.' } : glyph;
  });
}

/** What a mark may have been read as. */
const READ: Readonly<Record<string, RegExp>> = {
  '.': /[.,…;:!?·•*'’‘"“”`]/u,
  ':': /[:;=i!]/,
  '-': /[-–—~=_+→←·•«»]/u,
  _: /_/,
};

/** Marks that hang at the tops of letters. */
const HIGH = /[·•*'’‘"“”`]/u;

function put(glyphs: Glyph[], mark: Required<Glyph>, { height }: Line): void {
  const [sign] = mark.text;
  const kind = READ[sign ?? ''];
  if (!kind) return;
  const { x0, x1 } = mark.box;
  const wide = glyphs.findIndex(
    ({ text, box }) => sign === '.' && text === '_' && box && shared(box, mark.box) > 0,
  );
  if (wide >= 0) {
    glyphs.splice(wide, 1, mark);
    return;
  }
  const isHere = ({ text, box }: Glyph) =>
    box !== undefined && kind.test(text) && box.x1 > x0 - NEAR * height && box.x0 < x1 + NEAR * height;
  const [first, last] = [glyphs.findIndex(isHere), glyphs.findLastIndex(isHere)];
  if (first >= 0) {
    // Several underscores are one bar, and what stands at the feet is no quote.
    const { text = '', box } = glyphs[first] ?? {};
    const isHigh =
      sign === '.' && HIGH.test(text) && box !== undefined && shared(box, mark.box) > (x1 - x0) / 2;
    if (sign === '_' || isHigh) glyphs.splice(first, isHigh ? 1 : last - first + 1, mark);
    return;
  }
  // In the middle of a letter.
  const inside = NEAR * 2 * height;
  if (glyphs.some(({ box }) => box && box.x0 < x0 - inside && box.x1 > x1 + inside)) return;
  const middle = (x0 + x1) / 2;
  const after = glyphs.findIndex(({ box }) => box !== undefined && (box.x0 + box.x1) / 2 > middle);
  const at = after < 0 ? glyphs.length : after;
  // An underscore looks like a blank.
  const blank = sign === '_' ? [at - 1, at, at + 1].find((i) => glyphs[i]?.text === ' ') : undefined;
  glyphs.splice(blank ?? at, blank === undefined ? 0 : 1, mark);
}

/** Two dots above each other and nothing else; too little for the recognizer. */
export function isColon(pieces: readonly Box[]): boolean {
  const [upper, lower] = [...pieces].sort((a, b) => a.y0 - b.y0);
  if (!upper || !lower || pieces.length !== 2) return false;
  const sides = [upper, lower].flatMap(({ x0, y0, x1, y1 }) => [x1 - x0, y1 - y0]);
  const [least, most] = [Math.min(...sides), Math.max(...sides)];
  return most <= 2 * least && lower.y0 - upper.y1 >= least / 2 && shared(upper, lower) >= least / 2;
}

/** The sign that closes things is as wide as high; an X is higher. */
export const isCross = (text: string, pieces: readonly Box[]): boolean => {
  const [cross] = pieces;
  if (!cross || pieces.length !== 1 || !/^[xX×]$/.test(text)) return false;
  const [width, height] = [cross.x1 - cross.x0, cross.y1 - cross.y0];
  return Math.abs(width - height) <= CROSS * height;
};

const shared = (a: Box, b: Box): number => Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
