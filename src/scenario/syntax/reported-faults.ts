import type { Code } from '../diagnostics/catalogue.ts';
import { posInLine } from '../source/position.ts';
import type { TokenFaults } from '../source/tokenize.ts';
import type { ReaderState } from './reader-state.ts';

/** Reports tokenizer faults in the reader's current line. */
export class ReportedFaults implements TokenFaults {
  readonly #reader: ReaderState;

  constructor(reader: ReaderState) {
    this.#reader = reader;
  }

  unclosedQuote(start: number, end: number): void {
    const quote = this.#reader.lines.current.text[start];
    this.#add('SCN121', `the quote ${quote} is not closed on this line; add the closing quote`, start, end);
  }

  unclosedBracket(start: number, end: number): void {
    this.#add('SCN122', 'the bracket [ is not closed on this line; add ]', start, end);
  }

  nestedQuotes(start: number, end: number): void {
    const remedy = 'use the other kind of quote or \\ before the inner one';
    this.#add('SCN128', `quotes inside or next to this quoted text; ${remedy}`, start, end);
  }

  #add(code: Code, message: string, start: number, end: number): void {
    const { file, lines, diagnostics } = this.#reader;
    diagnostics.add(code, message, posInLine(file, lines.current.number, start + 1, end + 1));
  }
}
