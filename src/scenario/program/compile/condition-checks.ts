import type { Instruction } from '../instruction.ts';
import type { Condition, Operand, Subject } from '../operand.ts';
import { boxesOf } from './intervals.ts';
import type { Names, Site } from './scope.ts';
import { isSubject, keyOf, type Leaf, leavesOf } from './subject-key.ts';

const INFINITE = { low: { kind: 'infinity', sign: -1 }, high: { kind: 'infinity', sign: 1 } } as const;

/** SCN256 and SCN257: a condition that cannot hold, or cannot fail, or asks a measured value for equality. */
export function checkCondition(instruction: Instruction, names: Names, site: Site): void {
  const { pos } = instruction;
  if (instruction.op === 'assert-sensor') {
    const { operator, subject, threshold: right } = instruction;
    checkPossible({ kind: 'comparison', left: { kind: 'subject', subject }, operator, right }, pos, site);
    if (operator === '=' || operator === '!=') reportEquality(subject, pos, site);
    return;
  }
  if (instruction.op === 'bound') {
    const { subject, low = INFINITE.low, high = INFINITE.high } = instruction;
    const inside = { kind: 'range', subject: { kind: 'subject', subject }, low, high } as const;
    checkPossible({ ...inside, lowInclusive: true, highInclusive: true }, pos, site);
    return;
  }
  if (!('condition' in instruction) || !instruction.condition) return;
  const { condition } = instruction;
  checkPossible(condition, pos, site);
  for (const leaf of leavesOf(condition)) {
    const measured = measuredForEquality(leaf, names);
    if (measured) reportEquality(measured, pos, site);
  }
}

function checkPossible(condition: Condition, pos: Instruction['pos'], site: Site): void {
  // A range that holds nothing by itself is an error of its own (SCN242).
  const hasEmpty = [...leavesOf(condition)].some(
    (leaf) => leaf.kind === 'range' && boxesOf(leaf)?.length === 0,
  );
  if (hasEmpty) return;
  if (boxesOf(condition)?.length === 0)
    site.report('SCN256', 'no value satisfies this condition; correct its limits or write OR', pos);
  else if (boxesOf(condition, false)?.length === 0)
    site.report(
      'SCN256',
      'every value satisfies this condition, so it checks nothing; correct its limits or write AND',
      pos,
    );
}

const reportEquality = ({ name }: Subject, pos: Instruction['pos'], site: Site): void =>
  site.report(
    'SCN257',
    `${name} is measured and never exactly equals a value; write a range, for example ${name} 4.9 .. 5.1`,
    pos,
  );

/** The measured value that a comparison asks for equality with a number; undefined for all else. */
function measuredForEquality(leaf: Leaf, names: Names): Subject | undefined {
  if (leaf.kind === 'range') {
    const { low, high } = leaf;
    const isPoint =
      low.kind === 'quantity' &&
      high.kind === 'quantity' &&
      low.value === high.value &&
      low.unit === high.unit;
    return isPoint ? measured(leaf.subject, names) : undefined;
  }
  const { left, right, operator } = leaf;
  if ((operator !== '=' && operator !== '!=') || right.kind === 'text' || left.kind === 'text')
    return undefined;
  return measured(left, names) ?? measured(right, names);
}

function measured(operand: Operand, names: Names): Subject | undefined {
  if (!isSubject(operand)) return undefined;
  const { subject } = operand;
  const isMeasured =
    operand.kind === 'change' ||
    subject.kind === 'sensor' ||
    keyOf(subject) === 'timer' ||
    names.isMeasured(subject.name);
  return isMeasured ? subject : undefined;
}
