import type { Instruction } from '../program/instruction.ts';
import { walk } from '../program/walk.ts';

/** A number that is a word of its own or stands behind an operator, not the one in `AI01` or `valve-1`. */
const NUMBER = /(?<![\w$.-])[-+]?\d+(?:[.,]\d+)*/g;

/** The text of a command without its numbers: it stays the same when only limits change. */
export const textWithoutNumbers = (text: string): string => text.replace(NUMBER, '#').replace(/\s+/g, ' ');

/**
 * Names of the checks of a block. Commands with the same text but for numbers are distinguished by their order in the block,
 * whether they are run or not; each call of a macro has commands of its own.
 */
export class CheckNames {
  readonly #names = new Map<Instruction, string>();

  constructor(instructions: readonly Instruction[]) {
    const counts = new Map<string, number>();
    for (const instruction of walk(instructions)) {
      const plain = textWithoutNumbers(instruction.text);
      const count = (counts.get(plain) ?? 0) + 1;
      counts.set(plain, count);
      this.#names.set(instruction, count === 1 ? plain : `${plain} (${count})`);
    }
  }

  /** Undefined: the instruction is none of the block. */
  of(instruction: Instruction): string | undefined {
    return this.#names.get(instruction);
  }
}
