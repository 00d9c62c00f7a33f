import { type Cell, cellsOf } from './cells.ts';

/** A source line as shown, and where its marked range lies in terminal columns from 0. */
export interface Excerpt {
  readonly text: string;
  readonly markStart: number;
  /** At least 1: an empty range marks the place where something is missing. */
  readonly markWidth: number;
}

const ELLIPSIS = '…';
/** Longer lines are cut before they are measured, UTF-16 units. */
const LONG_LINE = 4096;
/** What is kept of them on either side of the range's start. */
const PART = 1024;

/**
 * The line of a range with its marks. A line wider than `maxWidth` is cut around the start of the range.
 * @param col first column of the range, 1-based, UTF-16 units
 * @param endCol exclusive
 */
export function excerptOf(line: string, col: number, endCol: number, maxWidth: number): Excerpt {
  if (line.length > LONG_LINE) return excerptOfPart(line, col, endCol, maxWidth);
  const text = line.trimEnd();
  return excerptOfText(col > text.length ? line : text, col, endCol, maxWidth);
}

/** Of a very long line only the part around the range is looked at: many findings may stand on it. */
function excerptOfPart(line: string, col: number, endCol: number, maxWidth: number): Excerpt {
  const from = characterStart(line, Math.max(0, col - 1 - PART));
  const to = characterStart(line, Math.min(line.length, col - 1 + PART));
  const head = from > 0 ? ELLIPSIS : '';
  const part = `${head}${line.slice(from, to)}${to < line.length ? ELLIPSIS : ''}`;
  const shift = head.length - from;
  return excerptOfText(part, col + shift, Math.min(endCol + shift, part.length + 1), maxWidth);
}

/** The index itself, or the one before it when it lies within a surrogate pair. */
const characterStart = (line: string, index: number): number =>
  /[\uDC00-\uDFFF]/.test(line[index] ?? '') ? index - 1 : index;

function excerptOfText(line: string, col: number, endCol: number, maxWidth: number): Excerpt {
  const cells = cellsOf(line);
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
