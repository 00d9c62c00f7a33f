import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { linesOf, type Span } from './lines.ts';
import { piecesOf, STROKE } from './pieces.ts';

/** Each letter has a stroke in every row between its head and its foot; where two lines touch, few strokes reach from one to the other. */
const WAIST = 0.25;
/** Strokes beside each other in the fullest row of a line; fewer may be one sign of two parts. */
const LEAST_STROKES = 3;
/** Rows of a line at least, and by those of the highest one. */
const LEAST_ROWS = 6;
const ALIKE = 0.5;
/** Rows by which a letter may reach into the next line, by those of the lower line. More is a letter of both, or a value beside two lines. */
const REACH = 0.3;

export interface PartedLines {
  lines: Span[];
  /** Something reaches deep into two of them: cut there, its halves would be read as other letters. */
  areJoined: boolean;
}

/** Rows of the lines of text, also of lines that have no empty row between them: those are parted where the fewest strokes are. */
export function partedLines(contrast: Contrast): PartedLines {
  const cut = linesOf(contrast).flatMap((line) => partedAtWaists(contrast, line, STROKE));
  if (!cut.some(({ from }, i) => cut[i - 1]?.to === from)) return { lines: cut, areJoined: false };
  const pieces = piecesOf(contrast);
  const lines: Span[] = [];
  let areJoined = false;
  for (const line of cut) {
    const above = lines.at(-1);
    const isAnother = above?.to !== line.from || (hasOwn(above, line, pieces) && hasOwn(line, above, pieces));
    if (isAnother) lines.push({ ...line });
    else above.to = line.to;
    areJoined ||= isAnother && above?.to === line.from && pieces.some((piece) => isJoint(above, line, piece));
  }
  return { lines, areJoined };
}

/** Whether a letter reaches deep into both of two lines that touch. */
const isJoint = (above: Span, { from, to }: Span, { y0, y1 }: Box): boolean =>
  Math.min(from - y0, y1 - from) > REACH * Math.min(to - from, above.to - above.from);

/** Whether a line has a letter that is none of the other one, which it touches: heads of letters above the rest of them are no line. */
const hasOwn = (line: Span, other: Span, pieces: readonly Box[]): boolean =>
  pieces.some(
    (piece) =>
      piece.y0 < line.to &&
      piece.y1 > line.from &&
      piece.y1 - piece.y0 >= ALIKE * (line.to - line.from) &&
      !(line.from < other.from ? isJoint(line, other, piece) : isJoint(other, line, piece)),
  );

function partedAtWaists(contrast: Contrast, { from, to }: Span, least: number): Span[] {
  const whole = [{ from, to }];
  if (to - from < 2 * LEAST_ROWS) return whole;
  const strokes = Array.from({ length: to - from }, (_, i) => strokesIn(contrast, from + i, least));
  const limit = WAIST * most(strokes);
  const cuts = waistsOf(strokes, limit).map(({ from: first, to: end }) => {
    const fewest = strokes.slice(first, end).reduce((least, count) => Math.min(least, count));
    const rows = Array.from({ length: end - first }, (_, i) => first + i).filter(
      (y) => strokes[y] === fewest,
    );
    return from + (rows[rows.length >> 1] as number);
  });
  if (cuts.length === 0) return whole;
  const ends = [from, ...cuts, to];
  const lines = ends.slice(1).map((end, i) => ({ from: ends[i] as number, to: end }));
  const highest = most(lines.map((line) => line.to - line.from));
  const areLines = lines.every((line) => {
    const rows = line.to - line.from;
    const own = strokes.slice(line.from - from, line.to - from);
    return rows >= Math.max(LEAST_ROWS, ALIKE * highest) && most(own) >= LEAST_STROKES;
  });
  return areLines ? lines : whole;
}

/** A box may have more rows than a call takes arguments. */
const most = (counts: readonly number[]): number => counts.reduce((one, other) => Math.max(one, other), 0);

/** Rows of few strokes that have more above and below. */
function waistsOf(strokes: readonly number[], limit: number): Span[] {
  const waists: Span[] = [];
  for (let y = 0; y < strokes.length; y++) {
    if ((strokes[y] as number) > limit) continue;
    const last = waists.at(-1);
    if (last?.to === y) last.to = y + 1;
    else waists.push({ from: y, to: y + 1 });
  }
  return waists.filter(({ from, to }) => from > 0 && to < strokes.length);
}

function strokesIn({ width, data }: Contrast, y: number, least: number): number {
  let [strokes, isBefore] = [0, false];
  for (let x = 0; x < width; x++) {
    const isInk = (data[y * width + x] as number) >= least;
    if (isInk && !isBefore) strokes++;
    isBefore = isInk;
  }
  return strokes;
}
