import { LINE_END } from '../source/lines.ts';
import type { Token } from '../source/token.ts';
import { type TokenFaults, tokenize } from '../source/tokenize.ts';

/** A line that is neither blank nor only a comment. */
export interface SourceLine {
  /** Position in the text, from 1. */
  readonly number: number;
  /** Without indentation, trailing comment and trailing blanks. */
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** Broken quotes and brackets are the reader's to report. */
const UNHEARD: TokenFaults = { unclosedQuote() {}, unclosedBracket() {}, nestedQuotes() {} };

/** The meaningful lines of a text. A byte order mark is not a text. */
export function meaningfulLines(source: string): SourceLine[] {
  const lines: SourceLine[] = [];
  for (const [index, raw] of source
    .replace(/^\uFEFF/, '')
    .split(LINE_END)
    .entries()) {
    const { tokens } = tokenize(raw, 0, '', index + 1, UNHEARD);
    const first = tokens[0];
    const last = tokens.at(-1);
    if (first && last) lines.push({ number: index + 1, text: raw.slice(first.start, last.end), tokens });
  }
  return lines;
}
