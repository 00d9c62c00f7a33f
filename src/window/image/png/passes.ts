import type { PngHeader } from './chunks.ts';

/** A part of the image whose rows follow each other: all of it, or one of the seven of Adam7. */
export interface Pass {
  x0: number;
  y0: number;
  stepX: number;
  stepY: number;
  /** Pixels of a row, and rows. */
  width: number;
  height: number;
  /** Of a row, without its filter byte. */
  rowBytes: number;
}

export const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export function passesOf({ width, height, depth, colour, interlaced }: PngHeader): Pass[] {
  const bits = depth * (SAMPLES[colour] ?? 1);
  const steps = interlaced ? ADAM7 : ([[0, 0, 1, 1]] as const);
  return steps
    .map(([x0, y0, stepX, stepY]) => {
      const columns = Math.ceil((width - x0) / stepX);
      const rows = Math.ceil((height - y0) / stepY);
      return {
        x0,
        y0,
        stepX,
        stepY,
        width: columns,
        height: rows,
        rowBytes: Math.ceil((columns * bits) / 8),
      };
    })
    .filter((pass) => pass.width > 0 && pass.height > 0);
}
