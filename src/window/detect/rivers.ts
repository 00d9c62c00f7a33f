import type { ColourComponents } from './components.ts';
import type { Ink } from './ink.ts';

/** Measures how far a gap between two pieces of a row goes on above and below that row. */
export type River = (gap: { x0: number; x1: number; y0: number; y1: number; surface: number }) => number;

const REACH = 6;
const MOST_COLUMNS = 6;

/**
 * A gap between words ends at the next line; one between columns goes on. In heights of the row, 0 to 12; it ends at ink
 * and where the surface ends.
 */
export function riverOf(
  { label: part, width, height }: ColourComponents,
  isSurface: Uint8Array,
  { label }: Ink,
  isLine: Uint8Array,
): River {
  return ({ x0, x1, y0, y1, surface }) => {
    if (x1 <= x0) return 0;
    const step = Math.max(1, Math.floor((x1 - x0) / MOST_COLUMNS));
    const isFree = (y: number): boolean => {
      for (let p = y * width + x0; p < y * width + x1; p += step) {
        const l = label[p] as number;
        if (l >= 0) {
          if (!isLine[l]) return false;
        } else if (part[p] !== surface && isSurface[part[p] as number]) return false;
      }
      return true;
    };
    const unit = Math.max(4, y1 - y0);
    const reach = REACH * unit;
    let up = 0;
    while (up < reach && y0 - 1 - up >= 0 && isFree(y0 - 1 - up)) up++;
    let down = 0;
    while (down < reach && y1 + down < height && isFree(y1 + down)) down++;
    return (up + down) / unit;
  };
}
