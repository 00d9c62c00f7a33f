import type { Box } from '../compare/box.ts';
import type { Pixels } from '../image/pixels.ts';

export interface CellGrid {
  /** Edges of the columns and rows, pixels: one more than there are cells; they cover the image exactly. */
  xs: number[];
  ys: number[];
  /** Mean colour `#RRGGBB` of each cell, row by row. */
  colors: string[];
}

/** Divides an image into `grid` by `grid` cells; a side with fewer pixels than that has one cell for each. */
export function cellsOf({ width, height, data }: Pixels, grid: number): CellGrid {
  const [xs, ys] = [edges(width, grid), edges(height, grid)];
  const columns = xs.length - 1;
  const colors: string[] = [];
  for (let row = 0; row + 1 < ys.length; row++) {
    const sums = new Float64Array(columns * 3);
    for (let y = ys[row] as number; y < (ys[row + 1] as number); y++) {
      let at = y * width * 3;
      for (let column = 0; column < columns; column++)
        for (let x = xs[column] as number; x < (xs[column + 1] as number); x++)
          for (let channel = 0; channel < 3; channel++)
            sums[column * 3 + channel] = (sums[column * 3 + channel] as number) + (data[at++] as number);
    }
    for (let column = 0; column < columns; column++) {
      const { x0, y0, x1, y1 } = cellBox({ xs, ys }, column, row);
      const mean = [0, 1, 2].map(
        (channel) => (sums[column * 3 + channel] as number) / ((x1 - x0) * (y1 - y0)),
      );
      colors.push(colorText(mean));
    }
  }
  return { xs, ys, colors };
}

export function cellBox({ xs, ys }: Pick<CellGrid, 'xs' | 'ys'>, column: number, row: number): Box {
  return { x0: xs[column] ?? 0, y0: ys[row] ?? 0, x1: xs[column + 1] ?? 0, y1: ys[row + 1] ?? 0 };
}

export function colorText(channels: readonly number[]): string {
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

function edges(length: number, grid: number): number[] {
  const count = Math.min(grid, length);
  return Array.from({ length: count + 1 }, (_, index) => Math.floor((index * length) / count));
}
