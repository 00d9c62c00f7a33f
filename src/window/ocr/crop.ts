import type { Box } from '../compare/box.ts';
import type { Pixels } from '../image/pixels.ts';

const SCALE = 3;
/** White around the text, in pixels of the result; without it letters at the edge are lost. */
const MARGIN = 12;

/** One element's picture as text recognition likes it: three times as large, dark on light, with a margin. */
export function textCrop(image: Pixels, box: Box): Pixels {
  const [width, height] = [(box.x1 - box.x0) * SCALE, (box.y1 - box.y0) * SCALE];
  const grey = greyOf(image, box);
  const invert = isLightOnDark(grey);
  const crop: Pixels = {
    width: width + 2 * MARGIN,
    height: height + 2 * MARGIN,
    data: new Uint8Array((width + 2 * MARGIN) * (height + 2 * MARGIN) * 3),
  };
  for (let y = 0; y < crop.height; y++)
    for (let x = 0; x < crop.width; x++) {
      // The margin goes on with what is at the edge, so that it makes no line of its own.
      const value = sampled(
        grey,
        box.x1 - box.x0,
        box.y1 - box.y0,
        (x - MARGIN + 0.5) / SCALE,
        (y - MARGIN + 0.5) / SCALE,
      );
      crop.data.fill(invert ? 255 - value : value, (y * crop.width + x) * 3, (y * crop.width + x) * 3 + 3);
    }
  return crop;
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
function isLightOnDark(grey: Uint8Array): boolean {
  const sorted = grey.slice().sort();
  const [low, middle, high] = [
    sorted[0] ?? 0,
    sorted[sorted.length >> 1] ?? 0,
    sorted[sorted.length - 1] ?? 0,
  ];
  return high - middle > middle - low;
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
