import { Token } from './token.ts';
import { resolveEscapes } from './unquote.ts';

const SPACE = 32;
const HASH = 35;
const SINGLE = 39;
const DOUBLE = 34;
const OPEN = 91;
const BACKSLASH = 92;
const DOT = 46;

/** Blank, tab, no-break space, other Unicode blanks, byte order mark. */
export function isBlank(code: number): boolean {
  if (code <= SPACE) return true;
  if (code < 0xa0) return false;
  return (
    code === 0xa0 ||
    code === 0xfeff ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Receives the tokenizer's faults. Offsets are relative to the line. */
export interface TokenFaults {
  unclosedQuote(start: number, end: number): void;
  unclosedBracket(start: number, end: number): void;
  nestedQuotes(start: number, end: number): void;
}

export interface TokenizedLine {
  readonly tokens: Token[];
  /** Offset of the `#` of a trailing comment, or -1. */
  readonly comment: number;
}

/**
 * Splits a line into tokens. A quote or bracket counts only at the start of a
 * token; `#` starts a comment outside quotes and brackets, after a blank and before a blank or the line end.
 * @param base offset of this text in its line, added to the places of the tokens
 */
export function tokenize(
  line: string,
  from: number,
  file: string,
  number: number,
  faults: TokenFaults,
  base = 0,
): TokenizedLine {
  const tokens: Token[] = [];
  const length = line.length;
  let i = from;
  for (;;) {
    while (i < length && isBlank(line.charCodeAt(i))) i++;
    if (i >= length) return { tokens, comment: -1 };
    const code = line.charCodeAt(i);
    if (code === HASH && startsComment(line, i)) return { tokens, comment: i };
    if (code === SINGLE || code === DOUBLE) i = quoted(line, i, code, file, number, tokens, faults, base);
    else if (code === OPEN) i = bracketed(line, i, file, number, tokens, faults, base);
    else i = bare(line, i, file, number, tokens, base);
  }
}

/** True when the `#` at `index` starts a comment. */
export const startsComment = (line: string, index: number): boolean =>
  (index === 0 || isBlank(line.charCodeAt(index - 1))) &&
  (index + 1 >= line.length || isBlank(line.charCodeAt(index + 1)));

function bare(
  line: string,
  start: number,
  file: string,
  number: number,
  tokens: Token[],
  base: number,
): number {
  let end = start + 1;
  const length = line.length;
  while (end < length && !isBlank(line.charCodeAt(end))) {
    // `..'8 bar'`: the dots of a joined range end before a quoted bound.
    if (end === start + 2 && line.charCodeAt(start) === DOT && line.charCodeAt(start + 1) === DOT) {
      const next = line.charCodeAt(end);
      if (next === SINGLE || next === DOUBLE) break;
    }
    end++;
  }
  tokens.push(new Token('bare', line.slice(start, end), file, number, base + start, base + end));
  return end;
}

function quoted(
  line: string,
  start: number,
  quote: number,
  file: string,
  number: number,
  tokens: Token[],
  faults: TokenFaults,
  base: number,
): number {
  const kind = quote === SINGLE ? 'single' : 'double';
  let escaped = false;
  let i = start + 1;
  for (; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === BACKSLASH && i + 1 < line.length) {
      escaped = true;
      i++;
    } else if (code === quote) break;
  }
  const closed = i < line.length;
  const end = closed ? i + 1 : line.trimEnd().length;
  let text = line.slice(start + 1, closed ? i : end);
  if (escaped) text = resolveEscapes(text);
  tokens.push(new Token(kind, text, file, number, base + start, base + end));
  if (!closed) {
    faults.unclosedQuote(start, end);
    return line.length;
  }
  const inner = text.charCodeAt(0);
  const wrapped =
    text.length > 1 && (inner === SINGLE || inner === DOUBLE) && text.charCodeAt(text.length - 1) === inner;
  if (wrapped || (end < line.length && /[\p{L}\p{N}_]/u.test(line[end]!))) faults.nestedQuotes(start, end);
  return end;
}

function bracketed(
  line: string,
  start: number,
  file: string,
  number: number,
  tokens: Token[],
  faults: TokenFaults,
  base: number,
): number {
  const close = line.indexOf(']', start);
  const end = close < 0 ? line.trimEnd().length : close + 1;
  const text = line.slice(start + 1, close < 0 ? end : close).trim();
  tokens.push(new Token('bracket', text, file, number, base + start, base + end));
  if (close < 0) {
    faults.unclosedBracket(start, end);
    return line.length;
  }
  return end;
}

/**
 * The end of the text of a free-text line (header, metadata, title), without trailing comment and blanks. Quotes
 * protect `#` as in commands.
 */
export function endOfText(line: string, from: number): { end: number; comment: number } {
  let comment = -1;
  if (line.indexOf('#', from) >= 0) {
    let i = from;
    const lastClose = line.lastIndexOf(']');
    while (i < line.length) {
      const code = line.charCodeAt(i);
      const atStart = i === from || isBlank(line.charCodeAt(i - 1));
      if (atStart && (code === SINGLE || code === DOUBLE)) {
        const close = line.indexOf(String.fromCharCode(code), i + 1);
        i = close < 0 ? i + 1 : close + 1;
      } else if (atStart && code === OPEN) {
        // An unclosed [ would otherwise be searched to the end of the line each time.
        i = lastClose <= i ? i + 1 : line.indexOf(']', i + 1) + 1;
      } else if (code === HASH && startsComment(line, i)) {
        comment = i;
        break;
      } else i++;
    }
  }
  let end = comment < 0 ? line.length : comment;
  while (end > from && isBlank(line.charCodeAt(end - 1))) end--;
  return { end, comment };
}
