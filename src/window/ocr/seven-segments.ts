import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import { Colours } from './colours.ts';
import { type Contrast, contrastOf } from './contrast.ts';
import { areCutOff } from './cut-off.ts';
import { isAnythingDim, TIME } from './dim-segments.ts';
import { piecesOf } from './pieces.ts';
import { digitOf, type Frame, isMinus, isOne } from './segment-digit.ts';

/** Ink of a lit segment, of 255; the higher ones part what is soft. Unlit segments are fainter. */
const LIT = [128, 170, 205] as const;
/** Slants of digits, sideways for each pixel upwards. */
const SLANTS = [0, 0.09, 0.17, 0.05, 0.13, 0.21] as const;
/** Smaller digits have no segments that can be told apart. Pixels. */
const LEAST_HEIGHT = 12;
/** By the height of a digit: the gap between two digits, the side of a point, and how far above the feet it ends at most. */
const DIGIT_GAP = 0.07;
const POINT = 0.24;
const POINT_ABOVE = 0.06;
/** Of the width of a digit, at each side: where no segment of its foot lies, and a point may. */
const INSIDE = 0.12;
/** Pixels. */
const EDGE = 2;
/** Segments of one digit with gaps between them, which usual type has not. */
const SEPARATE = 3;
const SEGMENTS_OF_ONE = 2;
/** Of the height of a digit: two dots of a colon are lower together than a 1. */
const LEAST_ONE = 0.62;
const LEAST_SEGMENT = 0.25;
/** Of the box of a segment, its ink. */
const FILLED = 0.6;
const LEAST_ONES = 2;
/** By the height. */
const USUAL_WIDTH = 0.56;
/** Height of a piece by its width: a dot is about as high as wide, an upright segment is higher. Between the two it is neither. */
const ROUND = { most: 1.22, least: 1.36 };
/** Widths of a digit by its height; a 1 is narrower. */
const WIDTH = { least: 0.34, most: 0.9 };
/** Of the height of the row: a 4 without its top and its foot is as high, and narrower digits are at most as many pieces. */
const HIGH = 0.58;
const NARROWEST = 0.2;
const PIECES_OF_DIGIT = 9;
/** Of a row of any length. */
const MOST_PIECES = 1000;

export interface SegmentReading {
  /** Digits, minus, decimal point and colons; undefined: it is such a display, and cannot be read for sure. */
  digits: string | undefined;
  /** Around the digits, in pixels of the image. */
  box: Box;
  /** Whether each digit has gaps between its segments, which no usual type has. */
  isParted: boolean;
  /** What stands to the right of the digits, such as a unit; undefined for nothing. In pixels of the image. */
  rest: Box | undefined;
}

/**
 * Reads the digits of a seven-segment display by the segments that are lit. All ink of a digit has to be a segment in its place,
 * straight; undefined for everything else, also for usual type.
 */
export function readSegments(image: Pixels, box: Box): SegmentReading | undefined {
  if (box.y1 - box.y0 < LEAST_HEIGHT) return undefined;
  const contrast = contrastOf(image, box);
  if (!contrast) return undefined;
  eraseEdges(contrast, LIT[0]);
  let strength: Strength | undefined;
  let unread: SegmentReading | undefined;
  for (const least of LIT) {
    const pieces = piecesOf(contrast, least);
    if (!isRow(pieces)) continue;
    strength ??= strengthOf(image, box);
    const inked = around(pieces, ORIGIN);
    for (const slant of SLANTS) {
      const ink = slant === 0 ? contrast : upright(contrast, slant, inked);
      const read = readRow(ink, uprightOnce(strength, slant), least, inked);
      if (!read) continue;
      const { digits, from, isParted } = read;
      const before = from === undefined ? pieces : pieces.filter(({ x0 }) => x0 < from);
      const reading = {
        digits,
        isParted,
        box: around(before, box),
        rest: from === undefined ? undefined : { ...box, x0: box.x0 + Math.floor(from) },
      };
      if (digits !== undefined)
        return areCutOff(image, box, around(pieces, box), levelsOf(contrast, strength, pieces, least))
          ? { ...reading, digits: undefined }
          : reading;
      unread ??= reading;
      // Upright in another slant its segments are softer and the unlit ones darker than they are, and with less ink a dim one is lost.
      if (read.isUnclear) return unread;
    }
  }
  return unread;
}

interface Strength extends Contrast {
  ground: readonly number[];
  /** Of the farthest pixel, levels of a channel. */
  most: number;
}

/** How far each pixel is from the ground, by the farthest one: the ink of a contrast has one colour, which that of many unlit segments may be. */
function strengthOf(image: Pixels, box: Box): Strength {
  const colours = new Colours(image, box);
  const ground = colours.common();
  const { width, height } = colours;
  const distances = new Float64Array(width * height);
  let most = 1;
  for (let place = 0; place < distances.length; place++) {
    const own = colours.distance(place, ground);
    distances[place] = own;
    if (own > most) most = own;
  }
  const data = new Uint8Array(distances.length);
  for (let place = 0; place < data.length; place++) data[place] = (255 * (distances[place] as number)) / most;
  return { width, height, data, ground, most };
}

/** Of the weakest of what is lit. */
const HALF = 0.5;

/** The ground, and how far from it ink is at least, levels of a channel: half as far as the weakest piece. */
function levelsOf(
  { width, data: inks }: Contrast,
  { data, ground, most }: Strength,
  pieces: readonly Box[],
  least: number,
): { ground: readonly number[]; ink: number } {
  const weakest = pieces.map(({ x0, y0, x1, y1 }) => {
    let farthest = 0;
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++)
        if ((inks[y * width + x] as number) >= least)
          farthest = Math.max(farthest, data[y * width + x] as number);
    return farthest;
  });
  return { ground, ink: (HALF * Math.min(...weakest) * most) / 255 };
}

function around(pieces: readonly Box[], { x0, y0 }: Box): Box {
  return {
    x0: x0 + Math.min(...pieces.map((piece) => piece.x0)),
    y0: y0 + Math.min(...pieces.map((piece) => piece.y0)),
    x1: x0 + Math.max(...pieces.map((piece) => piece.x1)),
    y1: y0 + Math.max(...pieces.map((piece) => piece.y1)),
  };
}

/** Of the display itself, when its box is a little too large: a line along a whole side. */
function eraseEdges({ width, height, data }: Contrast, least: number): void {
  for (let depth = 0; depth < EDGE; depth++)
    for (const x of [depth, width - 1 - depth]) {
      if (range(height).every((y) => (data[y * width + x] as number) >= least))
        for (let y = 0; y < height; y++) data[y * width + x] = 0;
    }
  for (let depth = 0; depth < EDGE; depth++)
    for (const y of [depth, height - 1 - depth]) {
      const inked = range(width).filter((x) => (data[y * width + x] as number) >= least).length;
      if (inked >= width - 2 * EDGE) data.fill(0, y * width, (y + 1) * width);
    }
}

const ORIGIN: Box = { x0: 0, y0: 0, x1: 0, y1: 0 };

const range = (length: number): number[] => Array.from({ length: Math.max(0, length) }, (_, i) => i);

/** Not more pieces than a row of digits has. */
function isRow(pieces: readonly Box[]): boolean {
  if (pieces.length === 0 || pieces.length > MOST_PIECES) return false;
  const { x0, y0, x1, y1 } = around(pieces, ORIGIN);
  const height = y1 - y0;
  return (
    height >= LEAST_HEIGHT && pieces.length <= PIECES_OF_DIGIT * Math.ceil((x1 - x0) / (NARROWEST * height))
  );
}

/** Without its slant. @param inked beyond it there is none that matters: nothing is looked at there */
function upright(
  { width, height, data }: Contrast,
  slant: number,
  inked: Box = { x0: 0, y0: 0, x1: width, y1: height },
): Contrast {
  const result = new Uint8Array(data.length);
  for (let y = inked.y0; y < inked.y1; y++) {
    const shift = (height / 2 - y) * slant;
    const [whole, part] = [Math.floor(shift), shift - Math.floor(shift)];
    const to = Math.min(width, inked.x1 - whole + 1);
    for (let x = Math.max(0, inked.x0 - whole - 1); x < to; x++) {
      const at = x + whole;
      const one = at >= 0 && at < width ? (data[y * width + at] as number) : 0;
      const two = at + 1 >= 0 && at + 1 < width ? (data[y * width + at + 1] as number) : 0;
      result[y * width + x] = one * (1 - part) + two * part;
    }
  }
  return { width, height, data: result };
}

/** The same, made when it is first asked for: most of what is looked at is no display. */
function uprightOnce(contrast: Contrast, slant: number): () => Contrast {
  let made = slant === 0 ? contrast : undefined;
  return () => {
    made ??= upright(contrast, slant);
    return made;
  };
}

/** Pieces of some rows, all others having none. */
function piecesIn({ width, data }: Contrast, least: number, { y0, y1 }: Pick<Box, 'y0' | 'y1'>): Box[] {
  const rows = { width, height: y1 - y0, data: data.subarray(y0 * width, y1 * width) };
  return piecesOf(rows, least).map((piece) => ({
    x0: piece.x0,
    y0: piece.y0 + y0,
    x1: piece.x1,
    y1: piece.y1 + y0,
  }));
}

/** By the height: how far below the top of the digits a unit begins; and of a 1 with thick ends, how high it is and how far off the middle. */
const UNIT = { below: 0.2, digit: 0.5, off: 0.08 };

interface Group extends Box {
  sign?: string | undefined;
  parts: Box[];
}

function readRow(
  contrast: Contrast,
  strengthOnce: () => Contrast,
  least: number,
  inked: Box,
): (Pick<SegmentReading, 'digits' | 'isParted'> & { from?: number; isUnclear?: boolean }) | undefined {
  const pieces = piecesIn(contrast, least, inked);
  const high = Math.max(...pieces.map(({ y1 }) => y1)) - Math.min(...pieces.map(({ y0 }) => y0));
  if (high < LEAST_HEIGHT) return undefined;
  const { top, foot } = rowOf(groupsOf(pieces, high), high);
  const height = foot - top;
  if (height < LEAST_HEIGHT) return undefined;
  const isSmall = (box: Box) => box.x1 - box.x0 <= POINT * height && box.y1 - box.y0 <= POINT * height;
  const isAtFoot = (box: Box) =>
    isSmall(box) &&
    box.y1 > foot - POINT_ABOVE * height &&
    box.x1 - box.x0 <= ROUND.most * (box.y1 - box.y0) + 1;
  const bodies = groupsOf(
    pieces.filter((piece) => !isAtFoot(piece)),
    height,
  );
  // Thick segments are as short as points; they lie within their digit.
  const points = pieces.filter((piece) => {
    const middle = (piece.x0 + piece.x1) / 2;
    const isWithin = ({ x0, x1 }: Box) =>
      middle > x0 + INSIDE * (x1 - x0) && middle < x1 - INSIDE * (x1 - x0);
    return isAtFoot(piece) && !bodies.some(isWithin);
  });
  const groups = groupsOf(
    pieces.filter((piece) => !points.includes(piece)),
    height,
  );
  const wide = groups.filter(
    ({ x0, x1, y0, y1 }) =>
      y1 - y0 >= HIGH * height && x1 - x0 >= WIDTH.least * height && x1 - x0 <= WIDTH.most * height,
  );
  const width = wide.length > 0 ? median(wide.map(({ x0, x1 }) => x1 - x0)) : USUAL_WIDTH * height;
  const unlit: number[] = [];
  const inks: number[] = [];
  const frameOf = (group: Box): Frame => ({ x0: group.x0, x1: group.x1, top, height, least, strengthOnce });
  for (const group of groups) {
    const frame = frameOf(group);
    const [first, second] = group.parts;
    const isPair = first !== undefined && second !== undefined && group.parts.length === 2;
    const isLow = group.y1 - group.y0 < LEAST_ONE * height;
    if (isPair && isSmall(first) && isSmall(second) && (isLow || tallness(first, second) < ROUND.least)) {
      if (tallness(first, second) <= ROUND.most) group.sign = ':';
    } else if (wide.includes(group)) {
      const read = digitOf(contrast, frame, width);
      group.sign = read?.digit;
      unlit.push(...(read?.unlit ?? []));
      inks.push(...(read?.inks ?? []));
    } else if (group.parts.length === 1 && isMinus(contrast, group, frame)) group.sign = '-';
    else if (
      areFilled(contrast, group.parts, least) &&
      (isOne(contrast, group, frame) || areStrokes(group.parts, height))
    )
      group.sign = '1';
  }
  const read = groups.filter(({ sign }) => sign !== undefined);
  const sure = wide.filter(({ sign }) => sign !== undefined);
  // Two strokes above each other may be anything; several of them are ones.
  const ones = groups.filter(({ sign, parts }) => sign === '1' && parts.length === SEGMENTS_OF_ONE);
  if (sure.length === 0 && ones.length < LEAST_ONES) return undefined;
  // Beside digits of one piece each, two low pieces may be the dots of a colon.
  const areJoined = sure.length > 0 && sure.every(({ parts }) => parts.length === 1);
  if (areJoined && ones.some(({ parts }) => parts.some(({ y0, y1 }) => y1 - y0 < LEAST_SEGMENT * height)))
    return undefined;
  // Half of it has to look like a display, with gaps between the segments, for the rest to be its fault.
  const isDisplay =
    sure.length >= wide.length / 2 &&
    (sure.length === 0 || sure.some(({ parts }) => parts.length >= SEPARATE));
  const last = read.at(-1);
  const beyond = groups.filter(({ x0 }) => last !== undefined && x0 >= last.x1);
  // A unit is lower than the digits; what is as high, or in the middle, is a digit that was not read.
  const mayBeDigit = ({ y0, y1 }: Box) =>
    y0 <= top + UNIT.below * height ||
    (y1 - y0 >= UNIT.digit * height && Math.abs(y0 + y1 - top - foot) <= 2 * UNIT.off * height);
  const isUnit = beyond.length > 0 && !beyond.some(mayBeDigit);
  const from = isUnit ? Math.min(...beyond.map(({ x0 }) => x0)) - 1 : undefined;
  const own = groups.filter((group) => !isUnit || !beyond.includes(group));
  const isParted = sure.length > 0 && areParted(contrast, sure, height);
  const rest = { isParted, ...(from === undefined ? {} : { from }) };
  const none = isDisplay ? { digits: undefined, ...rest } : undefined;
  if (own.some(({ sign }) => sign === undefined)) return none;
  // One digit without such gaps may be a letter, and what stands beside it the rest of its word.
  if (!isDisplay && (sure.length < 2 || from !== undefined)) return undefined;
  const signs: Group[] = [...own];
  for (const point of points)
    if (from === undefined || point.x1 <= from) signs.push({ ...point, sign: '.', parts: [] });
  signs.sort((a, b) => a.x0 + a.x1 - b.x0 - b.x1);
  const digits = signs.map(({ sign }) => sign).join('');
  if (!isNumber(digits)) return none;
  const until = from ?? contrast.width;
  const strength = strengthOnce();
  if (isAnythingDim({ contrast, strength, signs, top, foot, until, least, width, inks, unlit }))
    return { digits: undefined, ...rest, isUnclear: true };
  return { digits, ...rest };
}

/** Pixels; the strokes of lower type break up where only strong ink counts. */
const STRONG_HEIGHT = 24;

/** Whether each digit has gaps between its segments, narrow and soft ones too. */
function areParted(contrast: Contrast, digits: readonly Group[], height: number): boolean {
  if (digits.every(({ parts }) => parts.length >= SEPARATE)) return true;
  if (height < STRONG_HEIGHT) return false;
  const pieces = piecesOf(contrast, LIT[2]);
  const isIn = ({ x0, x1 }: Box, digit: Box) => x0 + x1 > 2 * digit.x0 && x0 + x1 < 2 * digit.x1;
  return digits.every((digit) => pieces.filter((piece) => isIn(piece, digit)).length >= SEPARATE);
}

/** Whether pieces are as full of ink as segments are: the digits of two lines, one above the other, are not. */
const areFilled = ({ width, data }: Contrast, parts: readonly Box[], least: number): boolean =>
  parts.every(({ x0, y0, x1, y1 }) => {
    let inked = 0;
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++) if ((data[y * width + x] as number) >= least) inked++;
    return inked >= FILLED * (x1 - x0) * (y1 - y0);
  });

/** Two upright strokes above each other, as high as each other. */
function areStrokes(parts: readonly Box[], height: number): boolean {
  const [upper, lower] = [...parts].sort((a, b) => a.y0 - b.y0);
  if (!upper || !lower || parts.length !== SEGMENTS_OF_ONE) return false;
  const [one, two] = [upper.y1 - upper.y0, lower.y1 - lower.y0];
  return (
    [upper, lower].every(({ x0, y0, x1, y1 }) => y1 - y0 >= ROUND.least * (x1 - x0)) &&
    Math.abs(one - two) <= Math.max(1, POINT_ABOVE * height) &&
    Math.abs(upper.x0 + upper.x1 - lower.x0 - lower.x1) <= 2 * Math.max(1, POINT_ABOVE * height) &&
    lower.y1 - upper.y0 >= HIGH * height
  );
}

/** How many times as high as wide the narrower of two pieces is. */
const tallness = (a: Box, b: Box): number =>
  Math.max((a.y1 - a.y0) / (a.x1 - a.x0), (b.y1 - b.y0) / (b.x1 - b.x0));

/** Pieces that share columns, from left to right. */
function groupsOf(pieces: readonly Box[], height: number): Group[] {
  const groups: Group[] = [];
  for (const piece of [...pieces].sort((a, b) => a.x0 - b.x0)) {
    const before = groups.at(-1);
    if (!before || piece.x0 - before.x1 > DIGIT_GAP * height) {
      groups.push({ x0: piece.x0, y0: piece.y0, x1: piece.x1, y1: piece.y1, parts: [piece] });
      continue;
    }
    before.parts.push(piece);
    before.y0 = Math.min(before.y0, piece.y0);
    before.x1 = Math.max(before.x1, piece.x1);
    before.y1 = Math.max(before.y1, piece.y1);
  }
  return groups;
}

/** Rows of the digits, of which some end lower and higher. */
function rowOf(groups: readonly Group[], high: number): { top: number; foot: number } {
  const tall = groups.filter(({ y0, y1 }) => y1 - y0 >= HIGH * high);
  return { top: Math.min(...tall.map(({ y0 }) => y0)), foot: Math.max(...tall.map(({ y1 }) => y1)) };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text) || TIME.test(text);
