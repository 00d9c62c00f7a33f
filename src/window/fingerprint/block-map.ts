import type { Pixels } from '../image/pixels.ts';

/**
 * An image as means of small blocks. Fine enough that one digit of a full-HD screen shows (4 x 4 pixels up to there),
 * coarse enough that what a codec or a sensor adds does not: within a block it cancels.
 */
export interface BlockMap {
  width: number;
  height: number;
  /** Side of a block, pixels. */
  size: number;
  columns: number;
  rows: number;
  luma: Uint8Array;
  /** Colour differences, of areas of 4 x 4 blocks; 128 is grey. */
  chromaColumns: number;
  chromaRows: number;
  cb: Uint8Array;
  cr: Uint8Array;
}

const SMALLEST = 4;
const MOST_BLOCKS = 131_072;
/** Blocks of one area of colour, a side. */
export const CHROMA_BLOCKS = 4;

/** Side of a block in an image of this size. */
export function blockSize(width: number, height: number): number {
  return Math.max(SMALLEST, Math.ceil(Math.sqrt((width * height) / MOST_BLOCKS)));
}

export function blockMapOf({ width, height, data }: Pixels): BlockMap {
  const size = blockSize(width, height);
  const map = emptyBlockMap(width, height, size);
  const { columns, rows, luma, chromaColumns, cb, cr } = map;
  const sums = new Float64Array(columns);
  const red = new Float64Array(cb.length);
  const green = new Float64Array(cb.length);
  const blue = new Float64Array(cb.length);
  for (let row = 0; row < rows; row++) {
    sums.fill(0);
    const chromaRow = Math.floor(row / CHROMA_BLOCKS) * chromaColumns;
    const bottom = Math.min(height, (row + 1) * size);
    for (let y = row * size; y < bottom; y++) {
      let at = y * width * 3;
      for (let column = 0; column < columns; column++) {
        const right = Math.min(width, (column + 1) * size);
        let [r, g, b] = [0, 0, 0];
        for (let x = column * size; x < right; x++, at += 3) {
          r += data[at] as number;
          g += data[at + 1] as number;
          b += data[at + 2] as number;
        }
        sums[column] = (sums[column] as number) + r * 0.299 + g * 0.587 + b * 0.114;
        const area = chromaRow + Math.floor(column / CHROMA_BLOCKS);
        red[area] = (red[area] as number) + r;
        green[area] = (green[area] as number) + g;
        blue[area] = (blue[area] as number) + b;
      }
    }
    for (let column = 0; column < columns; column++) {
      const pixels = (bottom - row * size) * (Math.min(width, (column + 1) * size) - column * size);
      luma[row * columns + column] = Math.round((sums[column] as number) / pixels);
    }
  }
  const areaSize = size * CHROMA_BLOCKS;
  for (let area = 0; area < cb.length; area++) {
    const x = (area % chromaColumns) * areaSize;
    const y = Math.floor(area / chromaColumns) * areaSize;
    const pixels = (Math.min(width, x + areaSize) - x) * (Math.min(height, y + areaSize) - y);
    const [r, g, b] = [
      (red[area] as number) / pixels,
      (green[area] as number) / pixels,
      (blue[area] as number) / pixels,
    ];
    const light = 0.299 * r + 0.587 * g + 0.114 * b;
    cb[area] = Math.min(255, Math.round(128 + 0.564 * (b - light)));
    cr[area] = Math.min(255, Math.round(128 + 0.713 * (r - light)));
  }
  return map;
}

export function emptyBlockMap(width: number, height: number, size: number): BlockMap {
  const columns = Math.ceil(width / size);
  const rows = Math.ceil(height / size);
  const chromaColumns = Math.ceil(columns / CHROMA_BLOCKS);
  const chromaRows = Math.ceil(rows / CHROMA_BLOCKS);
  return {
    width,
    height,
    size,
    columns,
    rows,
    luma: new Uint8Array(columns * rows),
    chromaColumns,
    chromaRows,
    cb: new Uint8Array(chromaColumns * chromaRows),
    cr: new Uint8Array(chromaColumns * chromaRows),
  };
}
