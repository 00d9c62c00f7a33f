import { LINE_SEPARATOR, PARAGRAPH_SEPARATOR } from '../source/lines.ts';
import { isBlank } from '../source/tokenize.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const TAB_WIDTH = 4;
const BOM = 0xfeff;

/** One line of the source. */
export interface SourceLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** Offset of the first non-blank character; the length of the text when there is none. */
  readonly start: number;
  /** Visual indentation, tabs to multiples of 4; a byte order mark has zero width. */
  readonly indent: number;
}

/**
 * Goes through a text line by line, at LF, CRLF, CR, U+2028 and U+2029; the last line counts also without line end. Lines are made
 * when they are reached, so that a long text is never held twice.
 */
export class LineCursor {
  readonly #text: string;
  #offset = 0;
  #number = 0;
  #current: SourceLine | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The line reached last. */
  get current(): SourceLine {
    return this.#current!;
  }

  /** Moves to the next line; undefined at the end. */
  next(): SourceLine | undefined {
    const found = this.#scan(this.#offset);
    if (!found) return undefined;
    this.#number++;
    this.#current = lineOf(found.text, this.#number);
    this.#offset = found.next;
    return this.#current;
  }

  /** The next line without moving to it. */
  peek(): SourceLine | undefined {
    const found = this.#scan(this.#offset);
    return found && lineOf(found.text, this.#number + 1);
  }

  /** The lines that follow, without moving to them. */
  *ahead(): Generator<SourceLine> {
    let number = this.#number;
    for (let found = this.#scan(this.#offset); found; found = this.#scan(found.next))
      yield lineOf(found.text, ++number);
  }

  /** The next line that is neither blank nor a comment, without moving to it. */
  peekMeaningful(): SourceLine | undefined {
    for (const line of this.ahead())
      if (line.start < line.text.length && line.text[line.start] !== '#') return line;
    return undefined;
  }

  /** The line that starts at an offset; the offset behind the last line end is beyond the text by one. */
  #scan(from: number): { text: string; next: number } | undefined {
    const text = this.#text;
    const { length } = text;
    if (from > length) return undefined;
    let end = from;
    let code = 0;
    for (; end < length; end++) {
      code = text.charCodeAt(end);
      if (code === LF || code === CR || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR) break;
    }
    const wide = code === CR && text.charCodeAt(end + 1) === LF;
    return { text: text.slice(from, end), next: end + (wide && end < length ? 2 : 1) };
  }
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
