import type { Instruction } from '../instruction.ts';
import type { Condition, Operand, Subject } from '../operand.ts';

/** What identifies a sensor, variable or timer within a block, however it is called. */
export const keyOf = (subject: Subject): string => {
  if (subject.kind === 'sensor') return subject.id;
  return /^timer$/i.test(subject.name) ? 'timer' : subject.name;
};

type Visit = (subject: Subject) => void;

/** Where an instruction names what it reads; the subject of PASS and FAIL is a text. */
interface MayRead {
  readonly op: string;
  readonly subject?: Subject | string;
  readonly condition?: Condition;
}

/** What an instruction reads, its bodies apart. A bound judges what others read. */
export function forSubjects(instruction: Instruction, visit: Visit): void {
  const { op, subject, condition }: MayRead = instruction;
  if (typeof subject === 'object' && op !== 'bound') visit(subject);
  if (condition) forSubjectsIn(condition, visit);
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
