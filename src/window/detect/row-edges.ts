import type { Ink } from './ink.ts';
import type { River } from './rivers.ts';

export interface RowOptions {
  /** Widest gap that is closed, in heights of the taller side. */
  mostGap: number;
  river: River;
}

const BAND = 16;
/** Pixels to its nearest neighbour beside it, beyond which a small component may be the dot of a letter below. */
const DOT_ALONE = 4;
/** By the height of its neighbour, how far from it a point stands that ends where it does; their feet differ by no more. */
const POINT_BESIDE = 0.8;
const POINT_FOOT = 0.12;

export interface Edge {
  a: number;
  b: number;
  gap: number;
  /** Gap in pixels, more where a column seems to end: edges are closed in its order. */
  distance: number;
}

/** Widest gap at all. Pixels. */
const FARTHEST = 120;
/** Narrower gaps lie between letters. Pixels. */
export const LEAST_RIVER_GAP = 3;
/** Rows that a gap goes on for before it counts as wider. */
const COMMON_RIVER = 1.5;
const RIVER_WORTH = 0.12;

/** A flat stroke that starts close to the foot of its neighbour, `drop` pixels below it. */
function isUnderscore(ink: Ink, l: number, drop: number): boolean {
  const width = (ink.x1[l] as number) - (ink.x0[l] as number);
  const height = (ink.y1[l] as number) - (ink.y0[l] as number);
  return height <= 3 && width >= 4 && width >= 2.5 * height && drop >= -2 && drop <= 5;
}

/** Strokes and dots no higher than this belong to one line, although tight lines reach into each other. Pixels. */
const FLAT = 3;
/** By the height of a letter: an underscore in its upper part belongs to the line above, a dot at its lowest end to the line below. */
const UPPER = 0.3;
const LOWEST = 0.15;

/** Whether a flat piece beside a tall one is of the line above that one, or below it. */
function isOfOtherLine(ink: Ink, flat: number, tall: number): boolean {
  const [y0, y1] = [ink.y0[flat] as number, ink.y1[flat] as number];
  const [top, foot] = [ink.y0[tall] as number, ink.y1[tall] as number];
  const height = foot - top;
  if (y1 - y0 > FLAT || height < 2 * FLAT) return false;
  const width = (ink.x1[flat] as number) - (ink.x0[flat] as number);
  const isStroke = width >= 4 && width >= 2.5 * (y1 - y0);
  if (isStroke) return y1 - top <= UPPER * height;
  // What ends where its neighbour does is a point.
  return y1 > foot && (y0 + y1) / 2 >= foot - Math.max(1, LOWEST * height);
}

/** Largest dot of a colon, and its widest gap. Pixels. */
const DOT = 5;
const COLON = 9;

/** One dot above another, of one size. */
function isColon(ink: Ink, a: number, b: number): boolean {
  const size = (l: number) => [
    (ink.x1[l] as number) - (ink.x0[l] as number),
    (ink.y1[l] as number) - (ink.y0[l] as number),
  ];
  const [aw, ah] = size(a) as [number, number];
  const [bw, bh] = size(b) as [number, number];
  if (Math.max(aw, ah, bw, bh) > DOT || Math.abs(aw - bw) > 1 || Math.abs(ah - bh) > 1) return false;
  if (Math.abs((ink.x0[a] as number) - (ink.x0[b] as number)) > 1) return false;
  const gap =
    Math.max(ink.y0[a] as number, ink.y0[b] as number) - Math.min(ink.y1[a] as number, ink.y1[b] as number);
  return gap >= 1 && gap <= COLON;
}

/** Neighbours that may be of one row, and how many pieces of ink have more of them than were looked at. */
export interface Edges {
  edges: Edge[];
  crowded: number;
}

/** By the pixels of a picture, how many pairs of neighbours are looked at, and in a small one: pages full of text have a tenth of it. */
const MOST_PAIRS = 0.25;
const LEAST_PAIRS = 10_000;

/** Pairs of neighbours that may be of one row. @param most pairs that are looked at */
export function edgesOf(
  ink: Ink,
  atoms: readonly number[],
  height: number,
  { mostGap, river }: RowOptions,
  most = Math.max(LEAST_PAIRS, MOST_PAIRS * ink.label.length),
): Edges {
  const bands: number[][] = Array.from({ length: Math.ceil(height / BAND) + 1 }, () => []);
  const order = atoms
    .map((_, i) => i)
    .sort((i, j) => (ink.x0[atoms[i] as number] as number) - (ink.x0[atoms[j] as number] as number) || i - j);
  for (const i of order) {
    const l = atoms[i] as number;
    const from = Math.max(0, Math.floor(((ink.y0[l] as number) - 6) / BAND));
    const to = Math.min(bands.length - 1, Math.floor(((ink.y1[l] as number) + 6) / BAND));
    for (let band = from; band <= to; band++) (bands[band] as number[]).push(i);
  }
  const edges: Edge[] = [];
  const dots: (Edge & { small: number })[] = [];
  const nearest = new Float64Array(atoms.length).fill(Number.POSITIVE_INFINITY);
  /** 1 for the points of a line of digits: no dots of the letters below. */
  const isPoint = new Uint8Array(atoms.length);
  const seen = new Set<number>();
  const isCrowded = new Uint8Array(atoms.length);
  for (const band of bands) {
    for (let k = 0; k < band.length; k++) {
      const i = band[k] as number;
      const a = atoms[i] as number;
      const ax1 = ink.x1[a] as number;
      const ay0 = ink.y0[a] as number;
      const ay1 = ink.y1[a] as number;
      const ah = ay1 - ay0;
      const surface = ink.surface[a] as number;
      let found = 0;
      for (let m = k + 1; m < band.length && found < 6; m++) {
        const j = band[m] as number;
        const b = atoms[j] as number;
        const bx0 = ink.x0[b] as number;
        if (bx0 - ax1 > FARTHEST) break;
        const by0 = ink.y0[b] as number;
        const by1 = ink.y1[b] as number;
        const bh = by1 - by0;
        const tall = Math.max(ah, bh);
        const gap = Math.max(0, bx0 - ax1);
        if (gap > mostGap * Math.max(tall, 8)) continue;
        const overlap = Math.min(ay1, by1) - Math.max(ay0, by0);
        const short = Math.min(ah, bh);
        const isBeside = overlap >= 0.4 * short && !isOfOtherLine(ink, ah < bh ? a : b, ah < bh ? b : a);
        const isOver = !isBeside && gap === 0 && short <= 0.45 * tall && -overlap <= Math.max(2, 0.3 * tall);
        const [flat, other] = ah < bh ? [a, b] : [b, a];
        // The stroke below its neighbour, never above it: that one is of the next line.
        const isFoot =
          !isBeside &&
          gap <= 0.3 * tall &&
          2 * (ink.y0[flat] as number) > (ink.y0[other] as number) + (ink.y1[other] as number) &&
          isUnderscore(ink, flat, Math.max(ay0, by0) - Math.min(ay1, by1));
        const isDots = isColon(ink, a, b);
        if (!isDots && !isBeside && !isOver && !isFoot) continue;
        const key = i * atoms.length + j;
        const isNew = !seen.has(key);
        if (isNew && seen.size >= most) {
          isCrowded[i] = 1;
          break;
        }
        seen.add(key);
        if (isDots) {
          if (isNew) dots.push({ a: i, b: j, gap: 0, distance: 0, small: i });
          continue;
        }
        if (isBeside && gap > 0) found++;
        if (
          isBeside &&
          short <= 0.45 * tall &&
          gap <= POINT_BESIDE * tall &&
          Math.abs(ay1 - by1) <= Math.max(1, POINT_FOOT * tall)
        )
          isPoint[ah < bh ? i : j] = 1;
        if (!isNew) continue;
        if (isOver && !isFoot) {
          // A dot above its letter; nothing that hangs below.
          if (ah < bh ? ay0 < by0 : by0 < ay0)
            dots.push({ a: i, b: j, gap, distance: gap, small: ah < bh ? i : j });
          continue;
        }
        let distance = gap;
        if (gap >= LEAST_RIVER_GAP) {
          const rows = river({ x0: ax1, x1: bx0, y0: Math.min(ay0, by0), y1: Math.max(ay1, by1), surface });
          distance = gap * (1 + RIVER_WORTH * Math.max(0, rows - COMMON_RIVER));
        }
        edges.push({ a: i, b: j, gap, distance });
        if (gap < (nearest[i] as number)) nearest[i] = gap;
        if (gap < (nearest[j] as number)) nearest[j] = gap;
      }
    }
  }
  // What has a neighbour in its own row is a comma of the line above, and no dot of this one.
  for (const dot of dots)
    if (!isPoint[dot.small] && (nearest[dot.small] as number) > DOT_ALONE) edges.push(dot);
  return { edges, crowded: isCrowded.reduce((sum, one) => sum + one, 0) };
}
