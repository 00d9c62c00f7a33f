import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';
import { STROKE } from './pieces.ts';

/** By the height of all ink: rows above or below the words that hold another line, and their part of the ink. */
const ROWS = 0.3;
const INK = 0.1;

/** Whether a line of ink above or below the words is in none of them: the recognizer of one line leaves out the smaller of two. */
export function hasUnreadRows(words: readonly Box[], { width, height, data }: Contrast): boolean {
  const x0 = Math.max(0, Math.min(...words.map((word) => word.x0)));
  const x1 = Math.min(width, Math.max(...words.map((word) => word.x1)));
  const rows = Array.from({ length: height }, (_, y) => {
    let ink = 0;
    for (let x = x0; x < x1; x++) if ((data[y * width + x] as number) >= STROKE) ink++;
    return ink;
  });
  const inked = rows.flatMap((ink, y) => (ink > 0 ? [y] : []));
  const [top, foot] = [inked[0], inked.at(-1)];
  if (top === undefined || foot === undefined) return false;
  const all = rows.reduce((sum, ink) => sum + ink, 0);
  const isLine = (from: number, to: number): boolean => {
    const ink = rows.slice(Math.max(0, from), Math.max(0, to)).reduce((sum, one) => sum + one, 0);
    return to - from >= ROWS * (foot + 1 - top) && ink >= INK * all;
  };
  return (
    isLine(top, Math.min(...words.map(({ y0 }) => y0))) ||
    isLine(Math.max(...words.map(({ y1 }) => y1)), foot + 1)
  );
}
