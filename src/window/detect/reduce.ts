import type { Pixels } from '../image/pixels.ts';

/** Above this an image is looked at in a smaller size: a screen with so many pixels shows everything larger. */
const MOST_PIXELS = 12_000_000;

/** By how much an image is made smaller each way, so that time and memory of the detector stay bounded. */
export function reductionOf({ width, height }: Pixels): number {
  return Math.ceil(Math.sqrt((width * height) / MOST_PIXELS));
}

/**
 * Means of squares of `factor` pixels a side, parts of pixels by their share. What is left over at the right and lower edge, less
 * than a square, is not looked at.
 *
 * @param factor at least 1
 */
export function reduced({ width, height, data }: Pixels, factor: number): Pixels {
  const columns = spansOf(width, factor);
  const rows = spansOf(height, factor);
  const small = new Uint8Array(columns.length * rows.length * 3);
  const n = factor * factor;
  let out = 0;
  for (const row of rows) {
    for (const column of columns) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let y = row.first; y <= row.last; y++) {
        const high = shareOf(row, y);
        let i = (y * width + column.first) * 3;
        for (let x = column.first; x <= column.last; x++, i += 3) {
          const share = high * shareOf(column, x);
          red += share * (data[i] as number);
          green += share * (data[i + 1] as number);
          blue += share * (data[i + 2] as number);
        }
      }
      small[out++] = Math.round(red / n);
      small[out++] = Math.round(green / n);
      small[out++] = Math.round(blue / n);
    }
  }
  return { width: columns.length, height: rows.length, data: small };
}

/** Pixels under one pixel of the smaller image, the outer ones with the part of them that lies under it. */
interface Span {
  first: number;
  last: number;
  firstShare: number;
  lastShare: number;
}

function spansOf(length: number, factor: number): Span[] {
  return Array.from({ length: Math.max(1, Math.floor(length / factor)) }, (_, i) => {
    const [from, to] = [i * factor, Math.min(length, (i + 1) * factor)];
    const first = Math.floor(from);
    const last = Math.ceil(to) - 1;
    return { first, last, firstShare: Math.min(first + 1, to) - from, lastShare: to - last };
  });
}

const shareOf = ({ first, last, firstShare, lastShare }: Span, at: number): number =>
  at === first ? firstShare : at === last ? lastShare : 1;
