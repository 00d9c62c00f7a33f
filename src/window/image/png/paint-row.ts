import type { Pixels } from '../pixels.ts';
import type { PngChunks } from './chunks.ts';
import type { Pass } from './passes.ts';

/** Puts one decoded row of a pass into the image; what is transparent shows white. */
export type PaintRow = (row: Uint8Array, pass: Pass, y: number) => void;

export function rowPainter({ header, palette, transparency }: PngChunks, { width, data }: Pixels): PaintRow {
  const { depth, colour } = header;
  const put = (x: number, y: number, red: number, green: number, blue: number, alpha: number) => {
    const at = (y * width + x) * 3;
    data[at] = over(red, alpha);
    data[at + 1] = over(green, alpha);
    data[at + 2] = over(blue, alpha);
  };
  if (colour === 2 || colour === 6) {
    const bytes = depth / 8;
    const step = bytes * (colour === 2 ? 3 : 4);
    const clear = colour === 2 ? transparentColour(transparency, 3) : undefined;
    return (row, { width: columns, x0, stepX }, y) => {
      for (let column = 0, at = 0; column < columns; column++, at += step) {
        let alpha = colour === 6 ? (row[at + 3 * bytes] ?? 255) : 255;
        if (clear?.every((value, sample) => value === sampleAt(row, at / bytes + sample, depth))) alpha = 0;
        put(x0 + column * stepX, y, row[at] ?? 0, row[at + bytes] ?? 0, row[at + 2 * bytes] ?? 0, alpha);
      }
    };
  }
  if (colour === 3) {
    const last = Math.floor((palette?.length ?? 0) / 3) - 1;
    return (row, { width: columns, x0, stepX }, y) => {
      for (let column = 0; column < columns; column++) {
        const entry = Math.min(last, sampleAt(row, column, depth));
        const at = entry * 3;
        put(
          x0 + column * stepX,
          y,
          palette?.[at] ?? 0,
          palette?.[at + 1] ?? 0,
          palette?.[at + 2] ?? 0,
          transparency?.[entry] ?? 255,
        );
      }
    };
  }
  const [clear] = colour === 0 ? (transparentColour(transparency, 1) ?? []) : [];
  const samples = colour === 4 ? 2 : 1;
  return (row, { width: columns, x0, stepX }, y) => {
    for (let column = 0; column < columns; column++) {
      const value = sampleAt(row, column * samples, depth);
      const grey = toByte(value, depth);
      const alpha =
        colour === 4 ? toByte(sampleAt(row, column * 2 + 1, depth), depth) : value === clear ? 0 : 255;
      put(x0 + column * stepX, y, grey, grey, grey, alpha);
    }
  };
}

function over(value: number, alpha: number): number {
  return alpha === 255 ? value : Math.round((value * alpha + 255 * (255 - alpha)) / 255);
}

/** The sample with this number in a row of samples of `depth` bits. */
function sampleAt(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return row[index] ?? 0;
  if (depth === 16) return ((row[index * 2] ?? 0) << 8) | (row[index * 2 + 1] ?? 0);
  const bit = index * depth;
  return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

function toByte(value: number, depth: number): number {
  return depth === 16 ? value >> 8 : Math.round((value * 255) / ((1 << depth) - 1));
}

function transparentColour(transparency: Uint8Array | undefined, samples: number): number[] | undefined {
  if (!transparency || transparency.length < samples * 2) return undefined;
  return Array.from({ length: samples }, (_, index) => sampleAt(transparency, index, 16));
}
