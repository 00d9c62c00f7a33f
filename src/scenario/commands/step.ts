import type { InstructionOf } from '../program/instruction.ts';
import { unchanged } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import type { OperationDefinition } from './define-command.ts';

/** `1. Draw down:` is not a command; the block runner reports it and continues. */
export const step: OperationDefinition<InstructionOf<'step'>> = {
  plan: ({ number, title }) => `step ${number} ${title}`,
  cost: noTime,
  effect: unchanged,
  async run({ number, title }, command) {
    command.emit({ type: 'step.start', number, title });
  },
};
