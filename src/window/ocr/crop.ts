import type { Box } from '../compare/box.ts';
import type { Pixels } from '../image/pixels.ts';

const SCALE = 3;
/** Pixels of the image around an element: boxes end where the ink does, and its soft edge belongs to it. */
const WIDENED = 1;
/** Ground around the text, in pixels of the result; without it letters at the edge are lost. */
const MARGIN = 24;

/** One element's picture as text recognition likes it: three times as large, dark on light, on a margin of its ground. */
export function textCrop(image: Pixels, element: Box): Pixels {
  const box = widened(element, image);
  const [boxWidth, boxHeight] = [box.x1 - box.x0, box.y1 - box.y0];
  const [width, height] = [boxWidth * SCALE + 2 * MARGIN, boxHeight * SCALE + 2 * MARGIN];
  const grey = greyOf(image, box);
  const { ground, isDark } = groundOf(grey);
  const data = new Uint8Array(width * height * 3).fill(isDark ? 255 - ground : ground);
  for (let y = 0; y < boxHeight * SCALE; y++)
    for (let x = 0; x < boxWidth * SCALE; x++) {
      const value = sampled(grey, boxWidth, boxHeight, (x + 0.5) / SCALE, (y + 0.5) / SCALE);
      const at = ((y + MARGIN) * width + x + MARGIN) * 3;
      data.fill(isDark ? 255 - value : value, at, at + 3);
    }
  return { width, height, data };
}

function widened({ x0, y0, x1, y1 }: Box, { width, height }: Pixels): Box {
  return {
    x0: Math.max(0, x0 - WIDENED),
    y0: Math.max(0, y0 - WIDENED),
    x1: Math.min(width, x1 + WIDENED),
    y1: Math.min(height, y1 + WIDENED),
  };
}

function greyOf({ width, data }: Pixels, { x0, y0, x1, y1 }: Box): Uint8Array {
  const grey = new Uint8Array((x1 - x0) * (y1 - y0));
  let index = 0;
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      const at = (y * width + x) * 3;
      grey[index++] = Math.round(
        0.299 * (data[at] as number) + 0.587 * (data[at + 1] as number) + 0.114 * (data[at + 2] as number),
      );
    }
  return grey;
}

/** Most of an element is its ground, not its letters. */
function groundOf(grey: Uint8Array): { ground: number; isDark: boolean } {
  const sorted = grey.slice().sort();
  const [low, ground, high] = [
    sorted[0] ?? 0,
    sorted[sorted.length >> 1] ?? 0,
    sorted[sorted.length - 1] ?? 0,
  ];
  return { ground, isDark: high - ground > ground - low };
}

/** Between the four pixels around a place. */
function sampled(grey: Uint8Array, width: number, height: number, x: number, y: number): number {
  const left = Math.min(width - 1, Math.max(0, x - 0.5));
  const top = Math.min(height - 1, Math.max(0, y - 0.5));
  const [x0, y0] = [Math.floor(left), Math.floor(top)];
  const [x1, y1] = [Math.min(width - 1, x0 + 1), Math.min(height - 1, y0 + 1)];
  const [right, down] = [left - x0, top - y0];
  const at = (column: number, row: number) => grey[row * width + column] as number;
  const upper = at(x0, y0) * (1 - right) + at(x1, y0) * right;
  const lower = at(x0, y1) * (1 - right) + at(x1, y1) * right;
  return Math.round(upper * (1 - down) + lower * down);
}
