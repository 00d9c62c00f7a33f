import type { Contrast } from './contrast.ts';
import { STROKE } from './pieces.ts';

export interface Span {
  from: number;
  /** Exclusive. */
  to: number;
}

/** Rows of the lines of text. The dot of an i and an accent belong to what lies close below. @param least of 255 */
export function linesOf({ width, height, data }: Contrast, least = STROKE): Span[] {
  const hasInk = (y: number) => {
    for (let x = 0; x < width; x++) if ((data[y * width + x] as number) >= least) return true;
    return false;
  };
  const lines: Span[] = [];
  for (const one of spansOf(height, hasInk)) {
    const last = lines.at(-1);
    const isPart = last && (one.from - last.to <= 2 || last.to - last.from < 4 || one.to - one.from < 4);
    if (isPart) last.to = one.to;
    else lines.push(one);
  }
  return lines;
}

/** Columns with ink, of all lines. @param least of 255 */
export function columnsOf({ width, height, data }: Contrast, least = STROKE): Span[] {
  return spansOf(width, (x) => {
    for (let y = 0; y < height; y++) if ((data[y * width + x] as number) >= least) return true;
    return false;
  });
}

function spansOf(length: number, hasInk: (at: number) => boolean): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < length; at++) {
    if (!hasInk(at)) continue;
    const last = spans.at(-1);
    if (last?.to === at) last.to = at + 1;
    else spans.push({ from: at, to: at + 1 });
  }
  return spans;
}
