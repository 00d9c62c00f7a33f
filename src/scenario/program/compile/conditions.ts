import type { Pos } from '../../source/position.ts';
import type { Condition, Operand, Value } from '../operand.ts';
import { checkComparable, checkLimits, checkOneDimension, valuesOf } from './limits.ts';
import { resolveSubject, type Scope, type Site } from './scope.ts';
import { isSubject } from './subject-key.ts';

/** Looks up the names of a condition and checks its units and bounds. */
export function resolveCondition(condition: Condition, pos: Pos, scope: Scope, site: Site): Condition {
  const resolved = resolvePart(condition, pos, scope, site);
  checkOneDimension(resolved, pos, scope, site);
  return resolved;
}

function resolvePart(condition: Condition, pos: Pos, scope: Scope, site: Site): Condition {
  if (condition.kind === 'all' || condition.kind === 'any')
    return {
      kind: condition.kind,
      parts: condition.parts.map((part) => resolvePart(part, pos, scope, site)),
    };
  if (condition.kind === 'range') {
    const subject = resolveOperand(condition.subject, pos, scope, site);
    noteReferences(condition.low, pos, scope, site);
    noteReferences(condition.high, pos, scope, site);
    const closed = condition.lowInclusive && condition.highInclusive;
    const subjectPos = placeOf(condition.subject, pos);
    checkLimits(subject, [condition.low, condition.high], { pos, subjectPos, closed }, scope, site);
    return { ...condition, subject };
  }
  const left = resolveOperand(condition.left, pos, scope, site);
  const right = resolveOperand(textWhereMeant(condition, scope), pos, scope, site);
  if (isSubject(left))
    checkLimits(left, valuesOf(right), { pos, subjectPos: placeOf(condition.left, pos) }, scope, site);
  else if (isSubject(right))
    checkLimits(right, [left], { pos, subjectPos: placeOf(condition.right, pos) }, scope, site);
  else checkComparable(left, right, pos, scope, site);
  if (isSubject(right) && !isSubject(left) && left.kind !== 'text')
    return { kind: 'comparison', left: right, operator: FLIPPED[condition.operator], right: left };
  return { ...condition, left, right };
}

/** `6 <= p` means `p >= 6`: what is measured stands on the left, so that a check reports its limit as one. */
const FLIPPED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '!=': '!=' } as const;

/** Where the operand itself stands, as long as it was just read. */
const placeOf = (operand: Operand, pos: Pos): Pos => (isSubject(operand) ? (operand.pos ?? pos) : pos);

/**
 * `mode = 'real'`: a name on the right that nothing answers to is a text, when a variable stands on the left. Beside
 * a sensor it stays a name, so that a misspelt one is found.
 */
function textWhereMeant(condition: Extract<Condition, { kind: 'comparison' }>, scope: Scope): Operand {
  const { left, operator, right } = condition;
  if (right.kind !== 'subject' || (operator !== '=' && operator !== '!=')) return right;
  if (left.kind === 'subject' && scope.registry.sensor(left.subject.name)) return right;
  const { name } = right.subject;
  if (scope.registry.sensor(name) || scope.names.isDefined(name) || /^timer$/i.test(name)) return right;
  return { kind: 'text', text: name };
}

function resolveOperand(operand: Operand, pos: Pos, scope: Scope, site: Site): Operand {
  if (isSubject(operand))
    return {
      kind: operand.kind,
      subject: resolveSubject(operand.subject.name, operand.pos ?? pos, scope, site),
    };
  noteReferences(operand, pos, scope, site);
  return operand;
}

/** Remembers the variables a bound or value refers to. */
export function noteReferences(value: Value, pos: Pos, scope: Scope, site: Site): void {
  const missing = (name: string) =>
    site.report(
      'SCN228',
      `the variable ${name} is never set in this scenario; an actuator value or limit that uses it is an error at run time`,
      pos,
    );
  if (value.kind === 'template') scope.names.reference(value.text, missing);
  else if (value.kind === 'variable' && !value.name.includes('$'))
    scope.names.reference(`\${${value.name}}`, missing);
}
