import type { Instruction } from './instruction.ts';

/** Visits the bodies inside an instruction: those of gates, loops and calls. */
export function forChildren(instruction: Instruction, visit: (body: readonly Instruction[]) => void): void {
  switch (instruction.op) {
    case 'if':
      visit(instruction.then);
      visit(instruction.otherwise);
      break;
    case 'prompt':
      if (instruction.otherwise) visit(instruction.otherwise);
      break;
    case 'call':
    case 'repeat':
    case 'loop':
    case 'if-fail':
      visit(instruction.body);
      break;
    default:
      // An instruction with a body of its own that is not visited above does not compile.
      instruction satisfies { op: string; body?: string | undefined; then?: never; otherwise?: never };
  }
}

/** All instructions of a body in order, nested ones after the one that holds them. */
export function walk(instructions: readonly Instruction[]): Instruction[] {
  const all: Instruction[] = [];
  const visit = (body: readonly Instruction[]): void => {
    for (const instruction of body) {
      all.push(instruction);
      forChildren(instruction, visit);
    }
  };
  visit(instructions);
  return all;
}
