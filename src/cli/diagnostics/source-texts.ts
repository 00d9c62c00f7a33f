import { LINE_END } from '../../scenario/source/lines.ts';

/** The texts that were read, so that findings can show the lines they speak of. Never reads a file by itself. */
export class SourceTexts {
  readonly #lines = new Map<string, readonly string[]>();

  add(file: string, text: string): void {
    this.#lines.set(file, text.split(LINE_END));
  }

  /** @param number 1-based; undefined when the file or the line is not known */
  line(file: string, number: number): string | undefined {
    return this.#lines.get(file)?.[number - 1];
  }

  /** The text of a range within one line. */
  range(pos: {
    file: string;
    line: number;
    col: number;
    endLine: number;
    endCol: number;
  }): string | undefined {
    if (pos.line !== pos.endLine) return undefined;
    return this.line(pos.file, pos.line)?.slice(pos.col - 1, pos.endCol - 1);
  }
}
