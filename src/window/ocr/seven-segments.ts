import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import { contrastOf } from './contrast.ts';
import { type Piece, piecesOf } from './pieces.ts';

/** Ink of a lit segment, of 255; the higher ones part segments whose soft edges touch. Unlit segments are fainter. */
const LIT = [128, 170, 210] as const;
/** Slants of digits, sideways for each pixel upwards. */
const SLANTS = [0, 0.07, 0.12, 0.17, 0.22] as const;
/** Smaller digits have no gaps between their segments that can be seen. Pixels. */
const LEAST_HEIGHT = 12;
/** Parts of the height of a digit: the gap between two digits, the side of a point, the width of a 1, and of other digits. */
const DIGIT_GAP = 0.07;
const POINT = 0.2;
const NARROW = 0.3;
const WIDTH = { least: 0.35, most: 0.85 };
/** Of a segment, by the height of its digit. */
const LENGTH = { least: 0.2, most: 0.65 };
/** Of the height of a digit: upright segments lie at least so far above or below its middle. */
const UPRIGHT_FROM_MIDDLE = 0.08;
/** A bar is so many times as long as it is thick. */
const LONG = 1.3;
/** Segments of one digit at least, or of all together: two bars one above the other may be anything. */
const SURE_SEGMENTS = { digit: 3, all: 4 };

/** Segments that are lit: a at the top, then clockwise, g in the middle. */
const DIGITS: Readonly<Record<string, string>> = {
  abcdef: '0',
  bc: '1',
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
  g: '-',
};

export interface SegmentReading {
  /** Digits, minus and decimal point. */
  digits: string;
  /** Around the digits, in pixels of the image. */
  box: Box;
  /** What stands to the right of the digits, such as a unit; undefined for nothing. In pixels of the image. */
  rest: Box | undefined;
}

/**
 * Reads the digits of a seven-segment display by the segments that are lit. Every piece of ink among them has to be a segment or a
 * point in its place; undefined when one is not, also for usual type.
 */
export function readSegments(image: Pixels, box: Box): SegmentReading | undefined {
  if (box.y1 - box.y0 < LEAST_HEIGHT) return undefined;
  const contrast = contrastOf(image, box);
  if (!contrast) return undefined;
  for (const least of LIT) {
    const pieces = piecesOf(contrast, least);
    for (const slant of SLANTS) {
      const read = readPieces(pieces, slant);
      if (!read) continue;
      const { digits, from } = read;
      const rest = from === undefined ? undefined : { ...box, x0: box.x0 + Math.floor(from) };
      const ofDigits = pieces.filter(({ x0 }) => from === undefined || x0 < from);
      return { digits, box: around(ofDigits, box), rest };
    }
  }
  return undefined;
}

function around(pieces: readonly Box[], { x0, y0 }: Box): Box {
  return {
    x0: x0 + Math.min(...pieces.map((piece) => piece.x0)),
    y0: y0 + Math.min(...pieces.map((piece) => piece.y0)),
    x1: x0 + Math.max(...pieces.map((piece) => piece.x1)),
    y1: y0 + Math.max(...pieces.map((piece) => piece.y1)),
  };
}

interface Bar extends Box {
  isPoint: boolean;
  isLevel: boolean;
  isUpright: boolean;
}

function readPieces(pieces: readonly Piece[], slant: number): { digits: string; from?: number } | undefined {
  const top = Math.min(...pieces.map(({ y0 }) => y0));
  const foot = Math.max(...pieces.map(({ y1 }) => y1));
  const height = foot - top;
  if (pieces.length < SURE_SEGMENTS.digit || height < LEAST_HEIGHT) return undefined;
  const bars = pieces.map((piece): Bar => {
    const { y0, y1 } = piece;
    const shift = (y: number) => (y - (top + foot) / 2) * slant;
    const middle = (piece.x0 + piece.x1) / 2 + shift((y0 + y1) / 2);
    const half = Math.max(1, piece.x1 - piece.x0 - slant * (y1 - y0)) / 2;
    const [width, high] = [2 * half, y1 - y0];
    const isPoint =
      Math.max(width, high) <= POINT * height && y0 > foot - 0.3 * height && width < LONG * high * 1.3;
    const isLevel = !isPoint && width >= LONG * high;
    return {
      x0: middle - half,
      x1: middle + half,
      y0,
      y1,
      isPoint,
      isLevel,
      isUpright: !isPoint && high >= LONG * width,
    };
  });
  bars.sort((a, b) => a.x0 - b.x0 || a.y0 - b.y0);
  const groups: Bar[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const bar of bars) {
    const before = groups.at(-1);
    if (bar.isPoint || !before || before[0]?.isPoint || bar.x0 - end > DIGIT_GAP * height) groups.push([bar]);
    else before.push(bar);
    if (!bar.isPoint) end = Math.max(end, bar.x1);
    else end = Math.max(end, bar.x0);
  }
  let digits = '';
  let most = 0;
  let all = 0;
  const isSure = () => (most >= SURE_SEGMENTS.digit || all >= SURE_SEGMENTS.all) && isNumber(digits);
  for (const group of groups) {
    const sign = group[0]?.isPoint ? '.' : digitOf(group, top, height);
    if (sign === undefined) {
      const from = Math.min(...group.map(({ x0 }) => x0)) - 1;
      // What follows is a unit; a digit that was not read is none, and then nothing is.
      const isUnit = Math.min(...group.map(({ y0 }) => y0)) > top + 0.2 * height;
      return isUnit && isSure() ? { digits, from } : undefined;
    }
    digits += sign;
    most = Math.max(most, group.length);
    if (sign !== '.') all += group.length;
  }
  return isSure() ? { digits } : undefined;
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

function digitOf(group: readonly Bar[], top: number, height: number): string | undefined {
  const x0 = Math.min(...group.map((bar) => bar.x0));
  const x1 = Math.max(...group.map((bar) => bar.x1));
  const width = (x1 - x0) / height;
  let lit = '';
  for (const bar of group) {
    const at = ((bar.y0 + bar.y1) / 2 - top) / height;
    const length = (bar.isLevel ? bar.x1 - bar.x0 : bar.y1 - bar.y0) / height;
    if (length < LENGTH.least || length > LENGTH.most) return undefined;
    if (bar.isLevel) lit += at < 0.2 ? 'a' : at > 0.8 ? 'd' : Math.abs(at - 0.5) < 0.12 ? 'g' : '?';
    else if (bar.isUpright) {
      const isRight = width < NARROW || (bar.x0 + bar.x1) / 2 > (x0 + x1) / 2;
      const isUpper = at < 0.5;
      if (Math.abs(at - 0.5) < UPRIGHT_FROM_MIDDLE) return undefined;
      lit += isUpper ? (isRight ? 'b' : 'f') : isRight ? 'c' : 'e';
    } else return undefined;
  }
  const names = [...lit].sort().join('');
  if (names !== 'bc' && names !== 'g' && (width < WIDTH.least || width > WIDTH.most)) return undefined;
  return DIGITS[names];
}
