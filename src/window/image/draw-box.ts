import type { Pixels } from './pixels.ts';

/** Draws the border of a box into an image, inside the box; what lies outside of the image is left out. @param box ends exclusive */
export function drawBox(
  { width, height, data }: Pixels,
  { x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number },
  color: readonly number[],
): void {
  const put = (x: number, y: number) => {
    if (x >= 0 && y >= 0 && x < width && y < height) data.set(color, (y * width + x) * 3);
  };
  for (let x = x0; x < x1; x++) for (const y of [y0, y1 - 1]) put(x, y);
  for (let y = y0; y < y1; y++) for (const x of [x0, x1 - 1]) put(x, y);
}
