import type { Contrast } from './contrast.ts';
import { isArrow, isIndicator, isLowArrow, isMenu } from './icons.ts';
import { columnsOf, linesOf, type Span } from './lines.ts';
import { isColon } from './marks.ts';
import { FAINT, piecesOf, STROKE } from './pieces.ts';

/** Where the text begins and ends without the sign at that end, columns; undefined: nothing stands there. */
export interface Ends {
  left: number | undefined;
  right: number | undefined;
}

/** Between the indicator of a choice and its text, of the height of a line. */
const INDICATOR_GAP = 0.2;
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

/**
 * Erases what beside the text is not a letter: the indicators of choices, solid icons, the bars of a menu and arrows.
 *
 * @returns whether there was one
 */
export function eraseIcons(contrast: Contrast): boolean {
  const before = columnsOf(contrast).length;
  eraseSigns(contrast);
  return columnsOf(contrast).length < before;
}

function eraseSigns(contrast: Contrast): void {
  for (const least of [STROKE, FAINT]) {
    const { left } = endsOf(contrast, INDICATOR_GAP, least);
    if (left === undefined || !isIndicator(contrast, left, least)) continue;
    clear(contrast, 0, left);
    break;
  }
  const { left, right } = endsOf(contrast, LEAST_GAP);
  const { width } = contrast;
  if (left !== undefined) {
    const [sign, text] = [
      { from: 0, to: left },
      { from: left, to: width },
    ];
    if (isMenu(contrast, sign) || isSolid(contrast, sign, text)) clear(contrast, 0, left);
  }
  const end = columnsOf(contrast).at(-1);
  if (end && isLowArrow(contrast, end)) clear(contrast, end.from, width);
  if (right === undefined) return;
  const [sign, text] = [
    { from: right, to: width },
    { from: 0, to: right },
  ];
  if (isArrow(contrast, sign, text) || isSolid(contrast, sign, text)) clear(contrast, right, width);
}

/** What stands apart at an end of a line, as icons do; the reading decides what it is. */
export function signsOf(contrast: Contrast): Ends {
  return endsOf(contrast, WIDE_GAP);
}

function endsOf(contrast: Contrast, leastGap: number, least = STROKE): Ends {
  const columns = columnsOf(contrast, least);
  const lines = linesOf(contrast, least);
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

/** Most of an icon is thicker than nearly everything in the letters; so are the dots of a colon, which stands apart in type of one width. */
function isSolid(contrast: Contrast, sign: Span, text: Span): boolean {
  if (isColon(piecesOf(contrast).filter(({ x0, x1 }) => x0 >= sign.from && x1 <= sign.to))) return false;
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
