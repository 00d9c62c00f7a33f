import type { Instruction } from '../program/instruction.ts';
import { endsInError } from '../program/judgement.ts';
import type { Condition } from '../program/operand.ts';
import type { Leaf } from '../run/condition/leaf.ts';

/** A comparison, and whether it should be true. */
export type WantedLeaf = readonly [leaf: Leaf, truth: boolean];

/** What should hold for a command to go on as in a good run: checks pass, an IF is true unless it ends in ERROR. */
export function wantedBy(instruction: Instruction): WantedLeaf[] {
  switch (instruction.op) {
    case 'check':
    case 'wait-until':
      return leavesFor(instruction.condition, true);
    case 'loop':
      return instruction.condition ? leavesFor(instruction.condition, true) : [];
    case 'if':
      return leavesFor(instruction.condition, !endsInError(instruction.then));
    case 'assert-sensor': {
      const { subject, operator, threshold } = instruction;
      return leavesFor(
        { kind: 'comparison', left: { kind: 'subject', subject }, operator, right: threshold },
        true,
      );
    }
    default:
      return [];
  }
}

function leavesFor(condition: Condition, truth: boolean): WantedLeaf[] {
  if (condition.kind !== 'all' && condition.kind !== 'any') return [[condition, truth]];
  // One part that is false is enough for AND to be false, one that is true for OR to be true.
  const parts = (condition.kind === 'all') === truth ? condition.parts : condition.parts.slice(0, 1);
  return parts.flatMap((part) => leavesFor(part, truth));
}
