/** A range in the original text. Lines and columns count from 1, columns in UTF-16 units; the end is exclusive. */
export interface Pos {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly endLine: number;
  readonly endCol: number;
}

/** A range within one line. */
export const posInLine = (file: string, line: number, col: number, endCol: number): Pos => ({
  file,
  line,
  col,
  endLine: line,
  endCol,
});

/** From the start of one range to the end of another. */
export const posBetween = (start: Pos, end: Pos): Pos => ({
  file: start.file,
  line: start.line,
  col: start.col,
  endLine: end.endLine,
  endCol: end.endCol,
});

/** `file:line:col`, the form that editors and terminals make clickable. */
export const formatPos = (pos: Pos): string => `${pos.file}:${pos.line}:${pos.col}`;
