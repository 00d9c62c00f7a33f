import { type Cell, cellsOf } from './cells.ts';

/** A source line as shown, and where its marked range lies in terminal columns from 0. */
export interface Excerpt {
  readonly text: string;
  readonly markStart: number;
  /** At least 1: an empty range marks the place where something is missing. */
  readonly markWidth: number;
}

const ELLIPSIS = '…';

/**
 * The line of a range with its marks. A line wider than `maxWidth` is cut around the start of the range.
 * @param col first column of the range, 1-based, UTF-16 units
 * @param endCol exclusive
 */
export function excerptOf(line: string, col: number, endCol: number, maxWidth: number): Excerpt {
  const cells = cellsOf(line.replace(/\s+$/, (blanks) => (col > line.length - blanks.length ? blanks : '')));
  const starts = [0];
  for (const cell of cells) starts.push(starts.at(-1)! + cell.width);
  const total = starts.at(-1)!;
  const from = starts[cellIndex(cells, col - 1)]!;
  const to = Math.max(from + 1, starts[cellIndex(cells, endCol - 1)]!);
  if (total <= maxWidth) return { text: join(cells), markStart: from, markWidth: to - from };

  const before = Math.min(from, Math.max(0, Math.floor((maxWidth - (to - from)) / 2)));
  const left = Math.max(0, Math.min(from - before, total - maxWidth + 1));
  const cutLeft = left > 0;
  const first = starts.findIndex((start) => start >= left);
  const shift = starts[first]! - (cutLeft ? 1 : 0);
  const room = maxWidth - (cutLeft ? 1 : 0) - 1;
  let last = first;
  while (last < cells.length && starts[last + 1]! - starts[first]! <= room) last++;
  const cutRight = last < cells.length;
  const text = `${cutLeft ? ELLIPSIS : ''}${join(cells.slice(first, last))}${cutRight ? ELLIPSIS : ''}`;
  const end = Math.min(to, starts[last]!);
  return { text, markStart: from - shift, markWidth: Math.max(1, end - from) };
}

/** Index of the cell at or after a UTF-16 offset; one past the last when it lies behind the line. */
function cellIndex(cells: readonly Cell[], offset: number): number {
  const found = cells.findIndex((cell) => cell.index >= offset);
  return found < 0 ? cells.length : found;
}

const join = (cells: readonly Cell[]): string => cells.map((cell) => cell.text).join('');
