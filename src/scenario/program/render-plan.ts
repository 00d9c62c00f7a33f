import { operationOf } from '../commands/table.ts';
import type { Instruction } from './instruction.ts';
import type { PlanCommand } from './plan.ts';
import type { Program } from './program.ts';
import { indent } from './render-values.ts';

/** A program as indented lines: one for each block and instruction, positions and written texts left out. */
export function renderPlan({ blocks }: Program): string[] {
  return blocks.flatMap(({ kind, name, teardown, marks, instructions }) => [
    `${teardown ? 'teardown ' : ''}${marks.optional ? 'optional ' : ''}${kind} ${name}`,
    ...indent(instructions.flatMap(renderInstruction)),
  ]);
}

/**
 * The commands of a plan as lines. What is shown is all of the plan, and the plan all that is shown: two texts that mean
 * the same give the same lines.
 */
export const renderCommands = (commands: readonly PlanCommand[]): string[] =>
  // A command of a plan is an instruction without what only says where and how it was written.
  (commands as unknown as readonly Instruction[]).flatMap(renderInstruction);

const nested = (body: readonly Instruction[]) => indent(body.flatMap(renderInstruction));

const renderInstruction = (one: Instruction): string | readonly string[] =>
  operationOf(one).plan(one, nested);
