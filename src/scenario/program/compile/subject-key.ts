import type { Instruction } from '../instruction.ts';
import type { Condition, Operand, Subject } from '../operand.ts';

/** What identifies a sensor, variable or timer within a block, however it is called. */
export const keyOf = (subject: Subject): string => {
  if (subject.kind === 'sensor') return subject.id;
  return /^timer$/i.test(subject.name) ? 'timer' : subject.name;
};

type Visit = (subject: Subject) => void;

/** What an instruction reads, its bodies apart. */
export function forSubjects(instruction: Instruction, visit: Visit): void {
  switch (instruction.op) {
    case 'read':
    case 'sample':
    case 'delta':
    case 'assert-sensor':
      return visit(instruction.subject);
    case 'save':
      if (instruction.subject) visit(instruction.subject);
      return;
    case 'check':
    case 'wait-until':
    case 'gate':
      return forSubjectsIn(instruction.condition, visit);
    case 'loop':
      if (instruction.condition) forSubjectsIn(instruction.condition, visit);
      return;
    default:
  }
}

function forSubjectsIn(condition: Condition, visit: Visit): void {
  for (const leaf of leavesOf(condition))
    for (const operand of leaf.kind === 'range' ? [leaf.subject] : [leaf.left, leaf.right])
      if (isSubject(operand)) visit(operand.subject);
}

export type Leaf = Extract<Condition, { kind: 'comparison' | 'range' }>;

/** The comparisons and ranges that a condition is made of. */
export function* leavesOf(condition: Condition): Generator<Leaf> {
  if (condition.kind === 'all' || condition.kind === 'any')
    for (const part of condition.parts) yield* leavesOf(part);
  else yield condition;
}

export type SubjectOperand = Extract<Operand, { kind: 'subject' | 'change' }>;

export const isSubject = (operand: Operand): operand is SubjectOperand =>
  operand.kind === 'subject' || operand.kind === 'change';
