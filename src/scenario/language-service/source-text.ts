import { LINE_END } from '../source/lines.ts';
import type { Pos } from '../source/position.ts';

/** A range of a text in UTF-16 units from 0, the end exclusive. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A text with its line starts: positions of the language to offsets and back. */
export class SourceText {
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (const { index, 0: end } of text.matchAll(new RegExp(LINE_END, 'g')))
      this.#starts.push(index + end.length);
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** Offset of a line and column that count from 1; a place beyond the text is its end. */
  offset(line: number, col: number): number {
    const start = this.#starts[line - 1];
    return start === undefined ? this.text.length : Math.min(start + col - 1, this.text.length);
  }

  range({ line, col, endLine, endCol }: Pos): TextRange {
    return { from: this.offset(line, col), to: this.offset(endLine, endCol) };
  }

  /** Number of the line that an offset lies in, from 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** A line from 1, without its line end. */
  line(number: number): string {
    const text = this.text.slice(this.#starts[number - 1], this.#starts[number] ?? this.text.length);
    return text.replace(LINE_END, '');
  }

  slice({ from, to }: TextRange): string {
    return this.text.slice(from, to);
  }
}
