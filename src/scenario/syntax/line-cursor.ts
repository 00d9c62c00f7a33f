import { isBlank } from '../source/tokenize.ts';

const TAB = 9;
const TAB_WIDTH = 4;
const BOM = 0xfeff;

/** One line of the source. */
export interface SourceLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** Offset of the first non-blank character; the length of the text when there is none. */
  readonly start: number;
  /** Visual indentation, tabs to multiples of 4; a byte order mark has no width. */
  readonly indent: number;
}

const LF = 10;
const CR = 13;

/** Splits a text at LF, CRLF and CR. The last line counts also without line end. */
export function splitLines(text: string): SourceLine[] {
  const lines: SourceLine[] = [];
  const { length } = text;
  let from = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code !== LF && code !== CR) continue;
    lines.push(lineOf(text.slice(from, i), lines.length + 1));
    if (code === CR && text.charCodeAt(i + 1) === LF) i++;
    from = i + 1;
  }
  lines.push(lineOf(text.slice(from), lines.length + 1));
  return lines;
}

function lineOf(text: string, number: number): SourceLine {
  let indent = 0;
  let i = 0;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 32) indent++;
    else if (code === TAB) indent += TAB_WIDTH - (indent % TAB_WIDTH);
    else if (code === BOM) continue;
    else if (isBlank(code)) indent++;
    else break;
  }
  return { text, number, start: i, indent };
}
