import type { Pos } from './position.ts';

export type TokenKind = 'bare' | 'single' | 'double' | 'bracket';

/** One word, quoted text or bracketed text of a line. `start` and `end` are zero-based UTF-16 offsets in the line. */
export class Token {
  readonly kind: TokenKind;
  /** Content: without quotes or brackets, escapes resolved. */
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;

  constructor(kind: TokenKind, text: string, file: string, line: number, start: number, end: number) {
    this.kind = kind;
    this.text = text;
    this.file = file;
    this.line = line;
    this.start = start;
    this.end = end;
  }

  get quoted(): boolean {
    return this.kind === 'single' || this.kind === 'double';
  }

  get pos(): Pos {
    return {
      file: this.file,
      line: this.line,
      col: this.start + 1,
      endLine: this.line,
      endCol: this.end + 1,
    };
  }

  /** The same position with other content: macro arguments never add tokens. */
  withText(text: string): Token {
    return new Token(this.kind, text, this.file, this.line, this.start, this.end);
  }
}
