import { operationOf } from '../commands/table.ts';
import type { Instruction } from '../program/instruction.ts';
import type { Command, Flow } from './command.ts';
import { completeGoal } from './complete-goal.ts';
import type { GoalContext } from './goal-context.ts';

/** How the commands of a run are executed. */
export interface Executor {
  /** Runs one command. @throws RunFault */
  execute(instruction: Exclude<Instruction, { op: 'step' }>, command: Command): Promise<Flow>;
  /** Ends a goal after its last command. @throws RunFault SCN402, SCN410 */
  complete(goal: GoalContext, flow: Flow): Promise<void>;
}

/** Each command as the language specifies it. */
export const executor: Executor = {
  execute: (instruction, command) => operationOf(instruction).run(instruction, command) as Promise<Flow>,
  complete: completeGoal,
};
