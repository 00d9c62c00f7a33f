import { referencedNames } from '../../values/interpolate.ts';
import type { Instruction } from '../instruction.ts';
import type { Value } from '../operand.ts';

export interface Assignment {
  /** May hold `$name` where it is known only when the command runs. */
  readonly name: string;
  /** It is written down in the scenario; all else follows from readings, answers or other variables. */
  readonly isLiteral: boolean;
}

/** The variable that an instruction sets; undefined for all that set none. */
export function assignmentOf(instruction: Instruction): Assignment | undefined {
  switch (instruction.op) {
    case 'set-variable':
    case 'set-parameter':
      return { name: instruction.name, isLiteral: isLiteral(instruction.value) };
    case 'calc':
    case 'save-json':
      return { name: instruction.name, isLiteral: false };
    case 'save':
      return { name: instruction.label, isLiteral: false };
    case 'prompt':
      return instruction.name === undefined ? undefined : { name: instruction.name, isLiteral: false };
    case 'loop':
      return { name: 'ITER', isLiteral: false };
    default:
      return undefined;
  }
}

export const isLiteral = (value: Value): boolean =>
  value.kind === 'quantity' ||
  value.kind === 'infinity' ||
  (value.kind === 'text' && referencedNames(value.text).length === 0);
