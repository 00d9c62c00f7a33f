import type { Instruction } from './instruction.ts';

/** The instructions inside an instruction: bodies of gates, loops, calls. */
export function* childrenOf(instruction: Instruction): Generator<readonly Instruction[]> {
  switch (instruction.op) {
    case 'gate':
      yield instruction.then;
      yield instruction.otherwise;
      break;
    case 'call':
    case 'repeat':
    case 'loop':
    case 'if-fail':
      yield instruction.body;
      break;
    default:
  }
}

/** All instructions of a body in order, nested ones after the one that holds them. */
export function* walk(instructions: readonly Instruction[]): Generator<Instruction> {
  for (const instruction of instructions) {
    yield instruction;
    for (const body of childrenOf(instruction)) yield* walk(body);
  }
}
