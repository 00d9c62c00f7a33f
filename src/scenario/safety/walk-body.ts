import { operationOf } from '../commands/table.ts';
import type { Instruction } from '../program/instruction.ts';
import type { BlockWalk } from './block-walk.ts';
import type { Reached } from './state.ts';

/** What follows from running a list of instructions: what is true after the last one. */
export function walkBody(body: readonly Instruction[], start: Reached, walk: BlockWalk): Reached {
  let state = start;
  for (const instruction of body) {
    if (!state) return undefined;
    if (instruction.op === 'step') continue;
    walk.analysis.unrolling--;
    walk.enter(state, instruction);
    state = operationOf(instruction).effect(instruction, state, walk);
  }
  return state;
}
