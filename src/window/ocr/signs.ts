import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { columnsOf, linesOf, type Span } from './lines.ts';
import { FAINT, piecesOf, STROKE } from './pieces.ts';

/** Where the text begins and ends without the sign at that end, columns; undefined: nothing stands there. */
export interface Ends {
  left: number | undefined;
  right: number | undefined;
}

/** Between an icon and its text, of the height of a line. */
const LEAST_GAP = 0.28;
/** Between what may be an icon and its text, of the height of a line; blanks between words are half of it. */
const WIDE_GAP = 0.55;
/** Gaps between words are alike. */
const ALIKE = 0.6;
/** Icons and arrows are not wider, in heights of a line. */
const MOST_SIGN = 1.7;
/** Of the ink of letters and of icons, what may be thick and what is. */
const LETTERS_THICK = 0.05;
const ICON_THICK = 0.5;
/** Thickness of letters that is told from icons, pixels. */
const LEAST_STROKE = 3;
const MOST_STROKE = 8;

/** Indicators of choices, pixels; their sides differ by less than this of the longer one. */
const LEAST_INDICATOR = 10;
const SQUARE = 0.2;
/** Times as high as letters. */
const HIGHER = 1.15;
/** Pieces of ink that tell where letters stand. */
const LEAST_LETTERS = 2;

/** Erases what beside the text is no letter: solid icons and the indicators of choices. */
export function eraseIcons(contrast: Contrast): void {
  const { left, right } = endsOf(contrast, LEAST_GAP);
  const { width } = contrast;
  if (left !== undefined) {
    const [sign, text] = [
      { from: 0, to: left },
      { from: left, to: width },
    ];
    const isIndicated = [STROKE, FAINT].some((least) => isIndicator(contrast, sign, text, least));
    if (isIndicated || isSolid(contrast, sign, text)) clear(contrast, 0, left);
  }
  if (right !== undefined && isSolid(contrast, { from: right, to: width }, { from: 0, to: right }))
    clear(contrast, right, width);
}

/**
 * The box or the ring of a choice is about square, higher than letters, and hangs below their feet.
 *
 * @param least ink of its border, of 255
 */
function isIndicator(contrast: Contrast, sign: Span, text: Span, least: number): boolean {
  const isIn = ({ x0, x1 }: Box, { from, to }: Span) => x0 >= from && x1 <= to;
  const own = piecesOf(contrast, least).filter((piece) => isIn(piece, sign));
  const letters = piecesOf(contrast).filter((piece) => isIn(piece, text));
  const [outer] = own.sort((a, b) => b.x1 - b.x0 - (a.x1 - a.x0));
  if (!outer || letters.length < LEAST_LETTERS) return false;
  const { x0, y0, x1, y1 } = outer;
  const [wide, high] = [x1 - x0, y1 - y0];
  const of = (values: number[], share: number) =>
    values.sort((a, b) => a - b)[Math.floor(share * values.length)] ?? 0;
  const baseline = of(
    letters.map((one) => one.y1),
    0.5,
  );
  const letter = of(
    letters.map((one) => one.y1 - one.y0),
    0.75,
  );
  return (
    own.every((one) => one.x0 >= x0 && one.x1 <= x1 && one.y0 >= y0 && one.y1 <= y1) &&
    Math.abs(wide - high) <= SQUARE * Math.max(wide, high) &&
    high >= LEAST_INDICATOR &&
    high >= HIGHER * letter &&
    y1 > baseline
  );
}

/** What stands apart at an end of a line, as icons do; the reading decides what it is. */
export function signsOf(contrast: Contrast): Ends {
  return endsOf(contrast, WIDE_GAP);
}

function endsOf(contrast: Contrast, leastGap: number): Ends {
  const columns = columnsOf(contrast);
  const lines = linesOf(contrast);
  const [[first], last, [line]] = [columns, columns.at(-1), lines];
  if (!first || !last || !line || lines.length !== 1) return { left: undefined, right: undefined };
  const height = line.to - line.from;
  const gaps = columns.slice(1).flatMap(({ from }, i) => {
    const to = columns[i]?.to ?? from;
    return from - to >= leastGap * height ? [{ from: to, to: from }] : [];
  });
  const [left, right] = [gaps[0], gaps.at(-1)];
  // As wide as others are: a blank.
  const isBlank = (gap: Span) =>
    leastGap >= WIDE_GAP &&
    gaps.some((other) => other !== gap && other.to - other.from >= ALIKE * (gap.to - gap.from));
  return {
    left: left && left.from - first.from <= MOST_SIGN * height && !isBlank(left) ? left.to : undefined,
    right: right && last.to - right.to <= MOST_SIGN * height && !isBlank(right) ? right.from : undefined,
  };
}

/** Most of an icon is thicker than nearly everything in the letters. */
function isSolid(contrast: Contrast, sign: Span, text: Span): boolean {
  for (let side = LEAST_STROKE; side <= MOST_STROKE; side++)
    if (thickShare(contrast, text, side) <= LETTERS_THICK)
      return thickShare(contrast, sign, side) >= ICON_THICK;
  return false;
}

/** Of the ink, what lies in squares of ink of a side. */
function thickShare({ width, height, data }: Contrast, { from, to }: Span, side: number): number {
  const columns = to - from;
  // Side of the largest square of ink that ends at a place.
  const squares = new Uint16Array(columns * height);
  const isThick = new Uint8Array(columns * height);
  let [ink, thick] = [0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < columns; x++) {
      if ((data[y * width + from + x] as number) < STROKE) continue;
      ink++;
      const place = y * columns + x;
      const before =
        x > 0 && y > 0
          ? Math.min(
              squares[place - 1] as number,
              squares[place - columns] as number,
              squares[place - columns - 1] as number,
            )
          : 0;
      squares[place] = before + 1;
      if (before + 1 < side) continue;
      for (let up = 0; up < side; up++)
        for (let back = 0; back < side; back++) {
          const one = place - up * columns - back;
          thick += isThick[one] ? 0 : 1;
          isThick[one] = 1;
        }
    }
  return ink === 0 ? 0 : thick / ink;
}

export function clear({ width, height, data }: Contrast, from: number, to: number): void {
  for (let y = 0; y < height; y++) data.fill(0, y * width + from, y * width + to);
}
