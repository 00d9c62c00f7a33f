import { formatPos, type Pos } from '../source/position.ts';
import type { Instruction } from './instruction.ts';
import type { Condition, Operand } from './operand.ts';
import { forChildren } from './walk.ts';

/**
 * What decides about a goal, as its text says (LANG-076): its checks; where it has none, ERROR behind a condition;
 * nothing, which makes it a procedure.
 */
export type Judgement = 'checks' | 'errors' | 'none';

type Body = readonly Instruction[];

const isTimer = (operand: Operand): boolean =>
  operand.kind === 'subject' &&
  // While a scenario is being checked, a name that is not a sensor is not decided yet.
  (operand.subject.kind === 'timer' ||
    (operand.subject.kind === 'unknown' && /^timer$/i.test(operand.subject.name)));

/** `Timer >= 8 s | WAIT` is a pause. */
const isPause = (condition: Condition): boolean =>
  condition.kind === 'comparison' && (isTimer(condition.left) || isTimer(condition.right));

/** What has the texts of a check is one, unless ELSE INFO or ELSE WARNING makes false a mere message. */
const isCheck = (one: Instruction): boolean =>
  one.op === 'bound' ||
  (one.op === 'wait-until' && !isPause(one.condition)) ||
  ('texts' in one && one.texts.onFalse === 'error');

/** Entering the body fails the goal: ERROR alone stands in it, or in a macro that it calls. */
export const endsInError = (body: Body): boolean =>
  body.some(
    (one) => one.op === 'fail-goal' || ((one.op === 'call' || one.op === 'repeat') && endsInError(one.body)),
  );

/** True for an IF that decides about the goal without a check: one of its branches ends in ERROR. */
export const decidesByError = ({ then, otherwise }: Extract<Instruction, { op: 'if' }>): boolean =>
  endsInError(then) || endsInError(otherwise);

export function judgementOf(body: Body): Judgement {
  if (firstCheck(body)) return 'checks';
  return holdsError(body) ? 'errors' : 'none';
}

/** IF_FAIL looks at what other commands came to; an ERROR in it judges nothing new. */
function holdsError(body: Body): boolean {
  return body.some((one) => {
    if (one.op === 'fail-goal') return true;
    let found = false;
    if (one.op !== 'if-fail') forChildren(one, (inner) => (found ||= holdsError(inner)));
    return found;
  });
}

interface Found {
  readonly check: Instruction;
  /** The innermost command around it that decides whether it runs. */
  readonly behind: Instruction | undefined;
}

/** The first check of a body, those left out that can only run on the way to an ERROR. */
function firstCheck(body: Body, behind?: Instruction): Found | undefined {
  for (const one of body) {
    if (isCheck(one)) return { check: one, behind };
    let found: Found | undefined;
    const around = one.op === 'call' || one.op === 'repeat' ? behind : one;
    forChildren(one, (inner) => {
      if (!found && !(around === one && endsInError(inner))) found = firstCheck(inner, around);
    });
    if (found) return found;
  }
  return undefined;
}

/** True when one of the checks runs, whatever the conditions give. */
export function hasSureCheck(body: Body): boolean {
  return body.some((one) => {
    if (isCheck(one)) return true;
    if (one.op === 'call' || one.op === 'repeat') return hasSureCheck(one.body);
    if (one.op === 'loop') return typeof one.times === 'number' && one.times > 0 && hasSureCheck(one.body);
    return one.op === 'if' && hasSureCheck(one.then) && hasSureCheck(one.otherwise);
  });
}

/** Why a goal of that text has no verdict: the first check that did not run, and what it stands behind. */
export function whyInconclusive(body: Body, file: string): string {
  const found = firstCheck(body);
  if (!found) return 'neither a check nor a condition with an ERROR was reached';
  const at = (pos: Pos) => (pos.file === file ? `line ${pos.line}` : formatPos(pos));
  const { check, behind } = found;
  const name = `${check.command} on ${at(check.pos)}`;
  return `no check ran: ${name} ${behind ? `depends on ${behind.command} on ${at(behind.pos)}` : 'was not reached'}`;
}
