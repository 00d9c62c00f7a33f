import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { inkAt } from './segment-digit.ts';

/** What was read of a row of digits, and where. */
export interface SegmentRow {
  contrast: Contrast;
  /** How far each pixel is from the ground, of 255, whatever its colour. */
  strength: Contrast;
  /** From left to right, points among them. */
  signs: readonly (Box & { sign?: string | undefined })[];
  top: number;
  foot: number;
  /** Columns before a unit. */
  until: number;
  /** Ink of what is lit, of 255. */
  least: number;
  /** Of a usual digit. */
  width: number;
  /** How far each segment is from the ground, of those that are lit and of those that are not. */
  inks: readonly number[];
  unlit: readonly number[];
}

/** By the strongest ink of a lit segment, the widest gap between two of them; and by the weakest, the ink of one that is not lit. */
const LIT_ALIKE = 0.2;
const MOST_UNLIT = 0.5;
/** By the weakest lit segment, what one that is not lit is brighter than the usual of them, and than the darkest, at most. */
const UNLIT_ALIKE = { usual: 0.17, all: 0.25 };

/** The same of a spot or a bar beside the digits, which stands alone; and by how much a spot is brighter than what lies beside it. */
const BESIDE = 0.1;
const PEAK = 0.14;
/** Least ink of what is lit, of 255, with which ones alone are read. */
const MOST_OF_ONES = 128;

/**
 * Whether a segment, a digit, a point, a colon or a minus may be lit although it is not read: what is lit is alike, what is not is alike too,
 * and far darker.
 */
export function isAnythingDim(row: SegmentRow): boolean {
  // Where only strong ink is looked at, a soft point is lost in its 1.
  if (row.inks.length === 0 && row.least > MOST_OF_ONES) return true;
  if (!areTwoGroups(row.inks, row.unlit) || hasDimDigit(row)) return true;
  const weakest = Math.min(255, ...row.inks);
  // A spot as bright as the one segment that is not lit is not lit either.
  const dim = median(row.unlit) + (row.unlit.length > 0 ? BESIDE : UNLIT_ALIKE.usual) * weakest;
  return (
    hasDimLeft(row, dim) || hasUnsurePoint(row, dim) || hasUnsureColon(row, dim) || hasUnsureMinus(row, dim)
  );
}

/**
 * Whether lit segments are alike, the others clearly darker, and alike too: one that is brighter than the others that are not lit is
 * a dim one that is, without which a 7 is a 1.
 */
function areTwoGroups(lit: readonly number[], unlit: readonly number[]): boolean {
  const [inks, dark] = [lit, unlit].map((some) => [...some].sort((a, b) => a - b)) as [number[], number[]];
  const [weakest, strongest] = [inks[0] ?? 255, inks.at(-1) ?? 255];
  const areAlike = inks.slice(1).every((ink, i) => ink - (inks[i] as number) < LIT_ALIKE * strongest);
  const [darkest, brightest] = [dark[0] ?? 0, dark.at(-1) ?? 0];
  const areAlikeUnlit =
    brightest - usualOf(unlit, weakest) <= UNLIT_ALIKE.usual * weakest &&
    brightest - darkest <= UNLIT_ALIKE.all * weakest;
  return areAlike && areAlikeUnlit && brightest <= MOST_UNLIT * weakest;
}

/** What those that are not lit have in common; 0 for a single one, and for two that are not alike: one may be dim. */
const usualOf = (unlit: readonly number[], weakest: number): number => {
  const [first = 0, second = 0, ...more] = [...unlit].sort((one, other) => one - other);
  if (more.length > 0) return [first, second, ...more][(unlit.length - 1) >> 1] as number;
  return unlit.length > 1 && second - first <= (BESIDE / 2) * weakest ? first : 0;
};

/**
 * By the weakest lit segment and the strongest that is not lit, the least ink of a dim digit; by the height, how far glow reaches, the gap
 * between its segments and how high a digit is.
 */
const DIM = { ofLit: 0.25, ofUnlit: 1.6, glow: 0.15, gap: 0.06, least: 0.5 };

/** Whether beside or between the digits stands one that is dim: something about as high as they are, and nothing higher, as a frame is. */
function hasDimDigit({
  strength: { width, height, data },
  signs,
  top,
  foot,
  until,
  inks,
  unlit,
}: SegmentRow): boolean {
  const least = Math.max(DIM.ofLit * Math.min(255, ...inks), DIM.ofUnlit * Math.max(0, ...unlit));
  const glow = Math.max(2, DIM.glow * (foot - top));
  const isRead = (x: number) => signs.some(({ x0, x1 }) => x >= x0 - glow && x < x1 + glow);
  const isInk = (x: number, y: number) => (data[y * width + x] as number) >= least;
  const gap = Math.max(1, DIM.gap * (foot - top));
  let rows = new Set<number>();
  let last = Number.NEGATIVE_INFINITY;
  const isDigit = (): boolean =>
    rows.size >= DIM.least * (foot - top) && Math.min(...rows) >= top - 1 && Math.max(...rows) <= foot;
  for (let x = 0; x < until; x++) {
    const inked = isRead(x) ? [] : range(height).filter((y) => isInk(x, y));
    if (inked.length === 0) continue;
    if (x - last > gap + 1) {
      if (isDigit()) return true;
      rows = new Set();
    }
    for (const y of inked) rows.add(y);
    last = x;
  }
  return isDigit();
}

/**
 * By the height, about the top of a row: where the top of a 7 is, and where it is when no digit of the row has one; where the other level
 * segments are; how far a 1 glows, and the width of a digit.
 */
const TOP = { least: -0.03, flat: -0.25, most: 0.2 } as const;
const LEVELS = [
  [0.4, 0.6],
  [0.8, 1.03],
] as const;
const UPRIGHTS = [
  [0.26, 0.34],
  [0.66, 0.74],
] as const;
const GLOW = 0.12;
const CELL = 0.68;

/**
 * Whether a 1, a 3 or a 7 is another digit of which something is dim, to its left where no other sign stands: an upright segment, and level ones
 * beside a 1.
 */
function hasDimLeft(
  { contrast, strength, signs, top, foot, width, least }: SegmentRow,
  dim: number,
): boolean {
  const height = foot - top;
  const isFlat = !signs.some(({ sign = '' }) => /[0235-9]/.test(sign));
  const rowsOf = ([from, to]: readonly [number, number]): number[] => {
    const first = Math.round(top + from * height);
    return range(Math.max(1, Math.round(top + to * height) - first)).map((y) => first + y);
  };
  return signs.some(({ sign, x0, x1 }, i) => {
    if (sign !== '1' && sign !== '3' && sign !== '7') return false;
    const glow = Math.max(1, GLOW * height);
    const before = (signs[i - 1]?.x1 ?? -glow) + glow;
    const to = Math.floor(sign === '1' ? x0 - glow : x0);
    const columnsOf = (wide: number): number[] => {
      const from = Math.ceil(Math.max(0, x1 - wide, before));
      return range(to - from).map((x) => from + x);
    };
    const cell = columnsOf(Math.max(width, CELL * height));
    // A 7 may begin with an upright segment, whose soft edge lies there.
    const isBegun = (y: number) => [x0, x0 + 1].some((x) => inkAt(contrast, x, y) >= least);
    const isUpright = (rows: number[]) =>
      cell.some((x) => rows.every((y) => inkAt(strength, x, y) > dim)) &&
      (sign === '1' || !rows.every(isBegun));
    if (UPRIGHTS.some((shares) => isUpright(rowsOf(shares)))) return true;
    const columns = columnsOf(width);
    const levels = [[isFlat ? TOP.flat : TOP.least, TOP.most] as const, ...LEVELS];
    const isLevel = (y: number) =>
      columns.filter((x) => inkAt(strength, x, y) > dim).length >= columns.length / 2;
    return sign === '1' && columns.length > 1 && levels.some((shares) => rowsOf(shares).some(isLevel));
  });
}

/** By the height: how far the place of a minus reaches, how far it ends before the first digit, and its least width. */
const MINUS = { reach: 1.3, gap: 0.08, least: 0.18, off: 0.1, dark: 0.2 } as const;

/** A bar before the digits that is neither lit nor dark: a minus may be lost there. */
function hasUnsureMinus(
  { contrast, strength, signs: [first], top, foot, least }: SegmentRow,
  dim: number,
): boolean {
  if (!first || first.sign === '-') return false;
  const height = foot - top;
  const isUnsure = (x: number, y: number): boolean =>
    inkAt(contrast, x, y) < least && inkAt(strength, x, y) > dim;
  const row = (share: number) => Math.round((top + foot) / 2 + share * height);
  for (let y = row(-MINUS.off); y <= row(MINUS.off); y++) {
    let run = 0;
    for (
      let x = Math.max(0, Math.floor(first.x0 - MINUS.reach * height));
      x < first.x0 - MINUS.gap * height;
      x++
    ) {
      // What goes on above and below is no bar, such as the edge of the display.
      const isBar = isUnsure(x, y) && !isUnsure(x, row(-MINUS.dark)) && !isUnsure(x, row(MINUS.dark));
      run = isBar ? run + 1 : 0;
      if (run >= MINUS.least * height) return true;
    }
  }
  return false;
}

/** Rows by the height: of a point and of the dots of a colon, and those beside which segments glow as much. */
const POINT = { rows: [0.78, 1], beside: [0.6, 0.72] } as const;
/** The same in a row of which no digit has its foot: a 1, a 4 and a 7 end above it. */
const BELOW = [0.78, 1.24] as const;
const HAS_FOOT = /[0235689]/;
const COLON = { upper: [0.18, 0.44], lower: [0.56, 0.82], beside: [0.47, 0.53] } as const;
/** Width of a gap in which a dot has ground at both sides. Pixels. */
const ROOMY = 6;
type Rows = readonly [from: number, to: number];

/** A spot at the feet that is neither lit nor dark: a point may be lost there. */
function hasUnsurePoint(row: SegmentRow, dim: number): boolean {
  const rows = row.signs.some(({ sign = '' }) => HAS_FOOT.test(sign)) ? POINT.rows : BELOW;
  return gapsOf(row).some((gap) => hasSpot(row, gap, rows, POINT.beside, dim));
}

/** Two such spots above each other, where a time would have a colon. */
const hasUnsureColon = (row: SegmentRow, dim: number): boolean =>
  gapsOf(row).some(
    (gap) =>
      gap.mayHaveColon &&
      [COLON.upper, COLON.lower].every((rows) =>
        hasSpot(row, { ...gap, x0: gap.above }, rows, COLON.beside, dim),
      ),
  );

interface Gap {
  /** At the foot, and where the sign before it ends above. */
  x0: number;
  above: number;
  x1: number;
  mayHaveColon: boolean;
}

/** Between two digits; beside a point that is lit its own soft edge would be seen. */
const gapsOf = (row: SegmentRow): Gap[] => [
  ...beforeAll(row),
  ...row.signs.flatMap((own, i) => {
    const { signs } = row;
    const { sign } = own;
    const next = signs[i + 1];
    if (!next || [sign, next.sign].some((one) => one === '.' || one === ':')) return [];
    const [before, after] = [signs.slice(0, i + 1), signs.slice(i + 1)].map((some) =>
      some.map((one) => one.sign).join(''),
    ) as [string, string];
    return [
      { x0: footOf(row, own), above: own.x1, x1: next.x0, mayHaveColon: TIME.test(`${before}:${after}`) },
    ];
  }),
];

/** Before the first digit: 5 may be .5. */
function beforeAll({ signs: [first], top, foot }: SegmentRow): Gap[] {
  if (!first || first.sign === '-') return [];
  const x0 = Math.max(0, Math.floor(first.x0 - LEADING * (foot - top)));
  return [{ x0, above: x0, x1: first.x0, mayHaveColon: false }];
}
const LEADING = 0.4;

/** Where a sign ends at its foot: one that leans ends further to the right above, and a point stands below that. */
function footOf({ contrast, least, top, foot }: SegmentRow, { x0, x1 }: Box): number {
  const from = Math.round(top + LOW * (foot - top));
  for (let x = x1 - 1; x > x0; x--)
    for (let y = from; y < foot; y++) if (inkAt(contrast, x, y) >= least) return x + 1;
  return x1;
}
const LOW = 0.7;
/** Hours, minutes and seconds, or minutes, seconds and parts of one. */
export const TIME = /^\d{1,3}(?::\d\d){1,2}(?:\.\d+)?$/;

/**
 * Whether a gap has ink in these rows that is no sign, and stands out: it is brighter than the ground at both of its sides, or by far than what
 * glows above it.
 */
function hasSpot(
  { strength, top, foot, inks }: SegmentRow,
  { x0, x1 }: Pick<Gap, 'x0' | 'x1'>,
  rows: Rows,
  beside: Rows,
  dim: number,
): boolean {
  const inRows = (shares: Rows): number[] => {
    const [from, to] = shares.map((share) => Math.round(top + share * (foot - top))) as [number, number];
    return range(Math.max(1, to - from)).map((y) => from + y);
  };
  const weakest = Math.min(255, ...inks);
  const soft = Math.max(0, Math.min(2, Math.floor((x1 - x0 - 1) / 2)));
  const glowing = range(x1 - x0).map((x) =>
    Math.max(...inRows(beside).map((y) => inkAt(strength, x0 + x, y))),
  );
  return inRows(rows).some((y) => {
    const line = range(x1 - x0).map((x) => inkAt(strength, x0 + x, y));
    return line.some((ink, x) => {
      if (ink <= dim) return false;
      const [left, right] = [Math.min(...line.slice(0, x + 1)), Math.min(...line.slice(x))];
      const isPeak = ink - Math.max(left, right) > PEAK * weakest;
      // The uprights glow more than the gap between them: where there is room, a dot of a colon is a peak.
      const isWithin = x >= soft && x < line.length - soft && (beside !== COLON.beside || x1 - x0 < ROOMY);
      return (
        isPeak || (isWithin && ink > dim + (UNLIT_ALIKE.usual - BESIDE) * weakest + (glowing[x] as number))
      );
    });
  });
}

const range = (length: number): number[] => Array.from({ length: Math.max(0, length) }, (_, i) => i);

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
