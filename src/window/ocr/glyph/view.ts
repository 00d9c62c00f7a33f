import type { Box } from '../../detect/element.ts';
import type { Contrast } from '../contrast.ts';
import type { Atom } from './atoms.ts';

/** Where a line of type stands on its crop, rows; both may lie between two rows. */
export interface Measure {
  /** Feet of the digits. */
  baseline: number;
  /** Height of the digits. */
  height: number;
}

/** Cells of a side of a view. */
export const SIDE = 20;
/** By the height of the digits: what a view shows above the baseline and below it, and how wide it is. */
const ABOVE = 1.2;
const BELOW = 0.4;
const WIDE = 1.6;
/** Row of a view on which letters stand. */
export const BASELINE = (SIDE * ABOVE) / (ABOVE + BELOW);
/** Soft pixels around ink. */
const SOFT = 2;

/** Widest letter, by the height of the digits. */
export const MOST_WIDE = 1.55;

export const boxOf = (atoms: readonly Box[]): Box => ({
  x0: Math.min(...atoms.map(({ x0 }) => x0)),
  y0: Math.min(...atoms.map(({ y0 }) => y0)),
  x1: Math.max(...atoms.map(({ x1 }) => x1)),
  y1: Math.max(...atoms.map(({ y1 }) => y1)),
});

/** Some atoms as the network sees them: alone, at their place on the line, all lines of one height. Cells 0..1. */
export function viewOf(
  ink: Contrast,
  owners: Uint16Array,
  atoms: readonly Atom[],
  { baseline, height }: Measure,
): Float32Array {
  const { width, data } = ink;
  const box = boxOf(atoms);
  const [left, top] = [(box.x0 + box.x1) / 2 - (WIDE * height) / 2, baseline - ABOVE * height];
  const cell = ((ABOVE + BELOW) * height) / SIDE;
  const sums = new Float32Array(SIDE * SIDE);
  const x0 = Math.max(0, box.x0 - SOFT);
  const x1 = Math.min(width, box.x1 + SOFT);
  for (let y = Math.max(0, box.y0 - SOFT); y < Math.min(ink.height, box.y1 + SOFT); y++)
    for (let x = x0; x < x1; x++) {
      const at = y * width + x;
      const value = data[at] as number;
      if (value === 0 || !belongs(owners[at] as number, x, atoms)) continue;
      // A pixel is shared out to the cells that it covers.
      spread(sums, (x - left) / cell, (y - top) / cell, 1 / cell, value / 255);
    }
  return sums;
}

/** Soft ink without an owner belongs to whoever is there. */
const belongs = (owner: number, x: number, atoms: readonly Atom[]): boolean =>
  atoms.some(
    ({ piece, x0, x1 }) =>
      (owner === piece && x >= x0 && x < x1) || (owner === 0 && x >= x0 - SOFT && x < x1 + SOFT),
  );

function spread(sums: Float32Array, x: number, y: number, side: number, value: number): void {
  const [x1, y1] = [x + side, y + side];
  for (let row = Math.max(0, Math.floor(y)); row < Math.min(SIDE, Math.ceil(y1)); row++) {
    const down = Math.min(y1, row + 1) - Math.max(y, row);
    for (let column = Math.max(0, Math.floor(x)); column < Math.min(SIDE, Math.ceil(x1)); column++) {
      const across = Math.min(x1, column + 1) - Math.max(x, column);
      const at = row * SIDE + column;
      sums[at] = (sums[at] as number) + value * down * across;
    }
  }
}
