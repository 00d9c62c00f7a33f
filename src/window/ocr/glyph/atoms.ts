import type { Box } from '../../detect/element.ts';
import type { Contrast } from '../contrast.ts';
import { piecesOf } from '../pieces.ts';

/** Ink that hangs together, or a slice of it where two letters may touch. In pixels of the crop. */
export interface Atom extends Box {
  /** Piece that it belongs to, as `owners` has it. */
  piece: number;
}

export interface Atoms {
  atoms: Atom[];
  /** Piece of each pixel, from 1; 0: none. */
  owners: Uint16Array;
}

/** Of 255; softer ink belongs to what it surrounds. */
export const INK = 85;
/** By the height of the line: wider pieces may be several letters, and already where softer ink than theirs holds two together. */
const WIDE = 0.55;
const WIDE_SOFT = 0.35;
/** A cut is made where there is less ink than this share of what the piece has at its fullest beside it, in all or at its strongest. */
const THIN = 0.6;
const SOFT = 0.75;
/** Columns between two cuts at least, by the height of the line. */
const APART = 0.12;
/** Crops with more ink are no line of text. */
const MOST_PIECES = 400;

/** The parts that letters are put together from, from left to right; none when there are too many. */
export function atomsOf(ink: Contrast): Atoms {
  const owners = new Uint16Array(ink.data.length);
  const pieces = piecesOf(ink, INK);
  if (pieces.length === 0 || pieces.length > MOST_PIECES) return { atoms: [], owners };
  const line = Math.max(...pieces.map(({ y1 }) => y1)) - Math.min(...pieces.map(({ y0 }) => y0));
  const atoms: Atom[] = [];
  pieces.forEach(({ x0, y0, x1, y1, places }, i) => {
    for (const place of places) owners[place] = i + 1;
    const box = { x0, y0, x1, y1 };
    const cuts = [
      ...(x1 - x0 > WIDE * line ? cutsOf(ink, owners, i + 1, box, APART * line, 'sum') : []),
      ...(x1 - x0 > WIDE_SOFT * line ? cutsOf(ink, owners, i + 1, box, APART * line, 'most') : []),
    ]
      .sort((a, b) => a - b)
      .filter((cut, k, all) => k === 0 || cut - (all[k - 1] as number) >= APART * line);
    const ends = [x0, ...cuts, x1];
    for (let k = 1; k < ends.length; k++) {
      const [from, to] = [ends[k - 1] as number, ends[k] as number];
      const rows = rowsOf(ink.width, owners, i + 1, { x0: from, y0, x1: to, y1 });
      if (rows) atoms.push({ piece: i + 1, x0: from, x1: to, ...rows });
    }
  });
  atoms.sort((a, b) => a.x0 + a.x1 - b.x0 - b.x1 || a.y0 - b.y0);
  return { atoms, owners };
}

/** Columns of little ink between fuller ones. */
function cutsOf(
  { width, data }: Contrast,
  owners: Uint16Array,
  piece: number,
  { x0, y0, x1, y1 }: Box,
  apart: number,
  by: 'sum' | 'most',
): number[] {
  const sums = Array.from({ length: x1 - x0 }, (_, i) => {
    let [sum, most] = [0, 0];
    for (let y = y0; y < y1; y++) {
      const at = y * width + x0 + i;
      if (owners[at] !== piece) continue;
      sum += data[at] as number;
      most = Math.max(most, data[at] as number);
    }
    return by === 'sum' ? sum : most;
  });
  const cuts: number[] = [];
  let last = 0;
  for (let i = 1; i < sums.length - 1; i++) {
    const own = sums[i] as number;
    if (own > (sums[i - 1] as number) || own >= (sums[i + 1] as number)) continue;
    const reach = Math.round(3 * apart);
    const left = Math.max(...sums.slice(Math.max(0, i - reach), i));
    const right = Math.max(...sums.slice(i + 1, i + 1 + reach));
    if (own > (by === 'sum' ? THIN : SOFT) * Math.min(left, right)) continue;
    if (i - last < apart || sums.length - i < apart) continue;
    cuts.push(x0 + i);
    last = i;
  }
  return cuts;
}

function rowsOf(
  width: number,
  owners: Uint16Array,
  piece: number,
  { x0, y0, x1, y1 }: Box,
): { y0: number; y1: number } | undefined {
  let [top, foot] = [y1, y0];
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++)
      if (owners[y * width + x] === piece) [top, foot] = [Math.min(top, y), Math.max(foot, y + 1)];
  return foot > top ? { y0: top, y1: foot } : undefined;
}
