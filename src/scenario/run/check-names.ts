import type { Instruction } from '../program/instruction.ts';
import { walk } from '../program/walk.ts';
import type { Pos } from '../source/position.ts';

/** A number that is a word of its own or stands behind an operator, not the one in `AI01` or `valve-1`. */
const NUMBER = /(?<![\w$.-])[-+]?\d+(?:[.,]\d+)*/g;

/** The text of a command without its numbers: it stays the same when only limits change. */
export const textWithoutNumbers = (text: string): string => text.replace(NUMBER, '#').replace(/\s+/g, ' ');

const keyOf = ({ file, line, col }: Pos): string => `${line}:${col} ${file}`;

/**
 * Names of the checks of a block by their positions. Commands with the same text but for numbers are told apart by their
 * order in the block, whether they are run or not.
 */
export class CheckNames {
  readonly #names = new Map<string, string>();

  constructor(instructions: readonly Instruction[]) {
    const counts = new Map<string, number>();
    for (const { text, pos } of walk(instructions)) {
      // A macro that is called twice has its commands at one position.
      if (this.#names.has(keyOf(pos))) continue;
      const plain = textWithoutNumbers(text);
      const count = (counts.get(plain) ?? 0) + 1;
      counts.set(plain, count);
      this.#names.set(keyOf(pos), count === 1 ? plain : `${plain} (${count})`);
    }
  }

  /** Undefined: there is no command at this position. */
  at(pos: Pos): string | undefined {
    return this.#names.get(keyOf(pos));
  }
}
