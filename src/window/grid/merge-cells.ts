import type { Box } from '../compare/box.ts';
import type { CellGrid } from './cells.ts';

export interface Region {
  box: Box;
  color: string;
}

/** Joins neighbouring cells of one colour to rectangles: to the right as far as it goes, then down. They cover the image once. */
export function mergedCells({ xs, ys, colors }: CellGrid): Region[] {
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  const taken = new Uint8Array(colors.length);
  const isFree = (column: number, row: number, color: string) =>
    taken[row * columns + column] === 0 && colors[row * columns + column] === color;
  const regions: Region[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (taken[row * columns + column] === 1) continue;
      const color = colors[row * columns + column] ?? '';
      let right = column + 1;
      while (right < columns && isFree(right, row, color)) right++;
      let bottom = row + 1;
      while (bottom < rows && span(column, right).every((x) => isFree(x, bottom, color))) bottom++;
      for (let y = row; y < bottom; y++) taken.fill(1, y * columns + column, y * columns + right);
      regions.push({
        box: { x0: xs[column] ?? 0, y0: ys[row] ?? 0, x1: xs[right] ?? 0, y1: ys[bottom] ?? 0 },
        color,
      });
    }
  return regions;
}

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
