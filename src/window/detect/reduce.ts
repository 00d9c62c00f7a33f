import type { Pixels } from '../image/pixels.ts';

/** Above this an image is looked at in a smaller size: a screen with so many pixels shows everything larger. */
const MOST_PIXELS = 12_000_000;

/** By how much an image is made smaller each way, so that time and memory of the detector stay bounded. */
export function reductionOf({ width, height }: Pixels): number {
  return Math.ceil(Math.sqrt((width * height) / MOST_PIXELS));
}

/** Means of squares of `factor` pixels a side. What is left over at the right and lower edge, less than a square, is not looked at. */
export function reduced({ width, height, data }: Pixels, factor: number): Pixels {
  const w = Math.max(1, Math.floor(width / factor));
  const h = Math.max(1, Math.floor(height / factor));
  const small = new Uint8Array(w * h * 3);
  const n = factor * factor;
  for (let y = 0, out = 0; y < h; y++) {
    for (let x = 0; x < w; x++, out += 3) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let dy = 0; dy < factor; dy++) {
        let i = ((y * factor + dy) * width + x * factor) * 3;
        for (let dx = 0; dx < factor; dx++, i += 3) {
          red += data[i] as number;
          green += data[i + 1] as number;
          blue += data[i + 2] as number;
        }
      }
      small[out] = Math.round(red / n);
      small[out + 1] = Math.round(green / n);
      small[out + 2] = Math.round(blue / n);
    }
  }
  return { width: w, height: h, data: small };
}
