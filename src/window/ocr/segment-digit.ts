import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';

/** Where a digit stands, in pixels of the contrast. */
export interface Frame {
  x0: number;
  x1: number;
  top: number;
  height: number;
  /** Ink of what is lit, of 255. */
  least: number;
  /** How far its pixels are from the ground, of 255; costs most when it is first asked for. */
  strengthOnce: () => Contrast;
}

/** Segments that are lit: a at the top, then clockwise, g in the middle. */
const DIGITS: Readonly<Record<string, string>> = {
  abcdef: '0',
  abdeg: '2',
  abcdg: '3',
  bcfg: '4',
  acdfg: '5',
  acdefg: '6',
  cdefg: '6',
  abc: '7',
  abcf: '7',
  abcdefg: '8',
  abcdfg: '9',
  abcfg: '9',
};

/** Places of the segments, by the width and the height of the digit: along which a segment is looked for, and across. */
const ALONG = { level: [0.38, 0.62], upper: [0.18, 0.38], lower: [0.62, 0.82] } as const;
/** Rows of the foot; and how far ink may go on there to the right of an upright segment, by the height. */
const FOOT = [0.82, 1] as const;
const BESIDE = { share: 0.05, pixels: 1.5 };
/** The part of it that is lit or dark as a whole, however thick the segments are. */
const CORE = { level: [0.43, 0.57], upper: [0.24, 0.36], lower: [0.64, 0.76] } as const;
const ACROSS = {
  left: [0, 0.36],
  right: [0.64, 1],
  top: [0, 0.24],
  middle: [0.36, 0.64],
  bottom: [0.76, 1],
} as const;
const SEGMENTS = {
  a: ['level', 'top'],
  b: ['upper', 'right'],
  c: ['lower', 'right'],
  d: ['level', 'bottom'],
  e: ['lower', 'left'],
  f: ['upper', 'left'],
  g: ['level', 'middle'],
} as const;

/** Of the lines along a segment, those with ink. */
const LIT = 0.85;
/** Lines more, which may lie in a gap. */
const MISSED = 0.5;
/** By the height: how far the middle of a stroke may be off its line, and how far from the edge of the digit it ends. */
const STRAIGHT = 0.045;
const AT_EDGE = 0.1;
/** By the height. */
const MOST_THICK = 0.26;
/** By the width of usual digits: of whole ones, and of a 3 or a 7 whose level segments are short. */
const WHOLE = { least: 0.8, most: 1.2 };
const RIGHT = 0.55;
/** Least soft pixels that a straight stroke may be off, however small it is. */
const SOFT = 0.8;

export interface SegmentDigit {
  digit: string;
  /** How far each segment is from the ground, of 255: of those that are lit in the mean of their lines, of the others in all of them. */
  inks: number[];
  unlit: number[];
}

/** Undefined when ink lies where no segment does, or a segment is lit in part. @param width of usual digits of the display */
export function digitOf(contrast: Contrast, frame: Frame, width: number): SegmentDigit | undefined {
  const own = frame.x1 - frame.x0;
  if (own > WHOLE.most * width || own < RIGHT * width) return undefined;
  const isWhole = own >= WHOLE.least * width;
  // Between the uprights at the right and none at the left, what is level ends early.
  const read = litIn(contrast, isWhole ? frame : { ...frame, x0: frame.x1 - width });
  const digit = read && DIGITS[read.lit];
  if (!digit || (!isWhole && !/[37]/.test(digit))) return undefined;
  return { digit, inks: read.inks, unlit: read.unlit };
}

type LitSegments = Omit<SegmentDigit, 'digit'> & { lit: string };

function litIn(contrast: Contrast, frame: Frame): LitSegments | undefined {
  const read: LitSegments = { lit: '', inks: [], unlit: [] };
  for (const [name, [along, across]] of Object.entries(SEGMENTS)) {
    const segment = segmentOf(contrast, frame, along, across);
    if (segment === undefined) return undefined;
    const { isLit, ink } = segment;
    if (isLit) {
      read.lit += name;
      read.inks.push(ink);
    } else {
      read.unlit.push(ink);
    }
  }
  const right = read.lit.includes('c') ? CORE.lower : CORE.upper;
  return isHollow(contrast, frame) && !hasPoint(contrast, frame, right) ? read : undefined;
}

/** Whether ink at the foot goes on to the right of the upright segment in some rows: a point that touches its digit. */
function hasPoint(
  contrast: Contrast,
  { x0, x1, top, height, least }: Omit<Frame, 'strengthOnce'>,
  upright: readonly [number, number],
): boolean {
  const rightOf = ([from, to]: readonly [number, number]): number => {
    for (let x = x1 - 1; x >= x0; x--)
      for (let y = Math.round(top + from * height); y < top + to * height; y++)
        if (inkAt(contrast, x, y) >= least) return x;
    return x1;
  };
  return rightOf(FOOT) - rightOf(upright) > Math.max(BESIDE.pixels, BESIDE.share * height);
}

/** Whether it is lit, and how far it is from the ground. */
function segmentOf(
  contrast: Contrast,
  frame: Frame,
  along: keyof typeof ALONG,
  across: keyof typeof ACROSS,
): { isLit: boolean; ink: number } | undefined {
  const { x0, x1, top, height, least } = frame;
  const isLevel = along === 'level';
  const [start, size] = isLevel ? [x0, x1 - x0] : [top, height];
  const lines = (shares: readonly [number, number]) => {
    const [from, to] = shares.map((share) => Math.round(start + share * size)) as [number, number];
    return [from, Math.max(to, from + 1)] as const;
  };
  const [from, to] = lines(ALONG[along]);
  const [coreFrom, coreTo] = lines(CORE[along]);
  const [crossStart, crossSize] = isLevel ? [top, height] : [x0, x1 - x0];
  const [low, high] = ACROSS[across].map((share) => crossStart + share * crossSize) as [number, number];
  const [first, last] = [Math.floor(low), Math.ceil(high)];
  const middles: number[] = [];
  let edge = 0;
  let thickest = 0;
  let inked = 0;
  for (let at = from; at < to; at++) {
    let [sum, weight, begin, end] = [0, 0, last, first];
    for (let side = first; side < last; side++) {
      const value = isLevel ? inkAt(contrast, at, side) : inkAt(contrast, side, at);
      if (value < least) continue;
      sum += side;
      weight++;
      [begin, end] = [Math.min(begin, side), Math.max(end, side + 1)];
    }
    if (weight === 0) continue;
    if (at >= coreFrom && at < coreTo) inked++;
    middles.push(sum / weight);
    edge += across === 'right' || across === 'bottom' ? crossStart + crossSize - end : begin - crossStart;
    thickest = Math.max(thickest, weight);
  }
  const coreOf = (): number[] => {
    const strength = frame.strengthOnce();
    const core: number[] = [];
    for (let at = Math.max(from, coreFrom); at < Math.min(to, coreTo); at++) {
      let farthest = 0;
      for (let side = first; side < last; side++)
        farthest = Math.max(farthest, isLevel ? inkAt(strength, at, side) : inkAt(strength, side, at));
      core.push(farthest);
    }
    return core;
  };
  // A stroke of usual type that is there in a part is no dim segment.
  if (inked === 0) return { isLit: false, ink: Math.min(...coreOf()) };
  if (inked < LIT * (coreTo - coreFrom) - MISSED) return undefined;
  const spread = Math.max(...middles) - Math.min(...middles);
  if (spread > Math.max(SOFT, STRAIGHT * height) || thickest > MOST_THICK * height) return undefined;
  // What ends before the edge of the digit has another sign beside it, such as a point.
  if (across !== 'middle' && edge / middles.length > Math.max(1.5, AT_EDGE * height)) return undefined;
  const core = coreOf();
  return { isLit: true, ink: core.reduce((sum, line) => sum + line, 0) / core.length };
}

/** The grounds within the two loops. */
function isHollow(contrast: Contrast, { x0, x1, top, height, least }: Frame): boolean {
  const middle = (x0 + x1) / 2;
  return [0.3, 0.7].every(
    (share) => inkAt(contrast, Math.floor(middle), Math.round(top + share * height)) < least,
  );
}

/** Two upright segments above each other, or both in one. */
export function isOne(contrast: Contrast, { x0, y0, x1, y1 }: Box, frame: Frame): boolean {
  const { top, height } = frame;
  const [width, high] = [x1 - x0, y1 - y0];
  if (width > MOST_THICK * height || high < 0.55 * height) return false;
  if (Math.abs(top + height / 2 - (y0 + y1) / 2) > 0.08 * height) return false;
  const stroke = { ...frame, x0, x1 };
  if (hasPoint(contrast, stroke, CORE.lower)) return false;
  return [CORE.upper, CORE.lower].every(([from, to]) => {
    const rows = [];
    for (let y = Math.round(top + from * height); y < top + to * height; y++)
      rows.push(middleOf(contrast, stroke, y));
    const inked = rows.filter((middle) => middle !== undefined);
    return (
      inked.length >= LIT * rows.length &&
      Math.max(...inked) - Math.min(...inked) <= Math.max(SOFT, STRAIGHT * height)
    );
  });
}

function middleOf(contrast: Contrast, { x0, x1, least }: Frame, y: number): number | undefined {
  let [sum, weight] = [0, 0];
  for (let x = x0; x < x1; x++)
    if (inkAt(contrast, x, y) >= least) {
      sum += x;
      weight++;
    }
  return weight === 0 ? undefined : sum / weight;
}

/** By the height: how soft the edges of a bar are at most; and its columns between its ends, by its width. */
const LEVEL = 0.05;
const BETWEEN_ENDS = [0.25, 0.75] as const;

/** One bar in the middle: between its ends it is full, which no word and few icons are. */
export function isMinus(contrast: Contrast, { x0, y0, x1, y1 }: Box, { top, height, least }: Frame): boolean {
  const [width, high] = [x1 - x0, y1 - y0];
  const isBar =
    high <= MOST_THICK * height &&
    width >= 1.3 * high &&
    width >= 0.18 * height &&
    width <= 0.75 * height &&
    Math.abs((y0 + y1) / 2 - top - height / 2) <= 0.1 * height;
  if (!isBar) return false;
  const off = Math.min(Math.max(SOFT, LEVEL * height), (high - 1) / 2);
  const [from, to] = BETWEEN_ENDS.map((share) => Math.round(x0 + share * width)) as [number, number];
  for (let x = from; x < to; x++)
    for (let y = y0 + off; y < y1 - off; y++) if (inkAt(contrast, x, Math.floor(y)) < least) return false;
  return true;
}

/** 0 outside. */
export function inkAt({ width, height, data }: Contrast, x: number, y: number): number {
  return x < 0 || y < 0 || x >= width || y >= height ? 0 : (data[y * width + x] as number);
}
