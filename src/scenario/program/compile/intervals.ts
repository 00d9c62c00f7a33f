import { convert, nearlyEqual } from '../../../rig/units/units.ts';
import type { ComparisonOperator, Condition, Operand, Value } from '../operand.ts';
import { isSubject, keyOf, type Leaf } from './subject-key.ts';

/** Values from `low` to `high` in `unit`; infinite where a side is open. */
export interface Interval {
  readonly low: number;
  readonly lowInclusive: boolean;
  readonly high: number;
  readonly highInclusive: boolean;
  readonly unit: string | undefined;
}

/** For each sensor, variable or timer the values that it may have together with the others. */
export type Box = ReadonlyMap<string, Interval>;

/** Alternatives of a condition that are looked at; a condition with more of them is left alone. */
const MOST_BOXES = 64;
/** Comparisons of a condition that are looked at: the work stays small whatever the length of the line. */
const MOST_PARTS = 256;

const EVERYTHING: Box = new Map();
const NEGATED = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '=': '!=', '!=': '=' } as const;
const ALL = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY } as const;

/**
 * The values for which a condition holds, as alternatives; none when it never can. What is not known before the run
 * counts as possible. Undefined when there are too many alternatives.
 * @param holds false for the values for which it does not hold
 */
export function boxesOf(condition: Condition, holds = true): readonly Box[] | undefined {
  if (condition.kind !== 'all' && condition.kind !== 'any') return boxesOfLeaf(condition, holds);
  const { kind, parts } = condition;
  if (parts.length > MOST_PARTS) return undefined;
  const isProduct = (kind === 'all') === holds;
  let boxes: readonly Box[] = isProduct ? [EVERYTHING] : [];
  for (const part of parts) {
    const more = boxesOf(part, holds);
    if (!more) return undefined;
    boxes = isProduct ? product(boxes, more) : [...boxes, ...more];
    if (boxes.length > MOST_BOXES) return undefined;
  }
  return boxes;
}

const product = (left: readonly Box[], right: readonly Box[]): Box[] =>
  left.flatMap((one) => right.flatMap((other) => meet(one, other) ?? []));

/** What both boxes hold; undefined when there is nothing. */
export function meet(a: Box, b: Box): Box | undefined {
  const both = new Map(a);
  for (const [key, interval] of b) {
    const before = both.get(key);
    const common = before ? intersect(before, interval) : interval;
    if (!common) return undefined;
    both.set(key, common);
  }
  return both;
}

/** The values in both intervals; undefined when there are none. Units that cannot be compared leave the first as it is. */
function intersect(a: Interval, b: Interval): Interval | undefined {
  const other = inUnit(b, a.unit);
  if (!other) return a;
  const isLower = other.low > a.low || (other.low === a.low && !other.lowInclusive);
  const isHigher = other.high < a.high || (other.high === a.high && !other.highInclusive);
  const { low, lowInclusive } = isLower ? other : a;
  const { high, highInclusive } = isHigher ? other : a;
  const isPoint = nearlyEqual(low, high);
  if (isPoint ? !(lowInclusive && highInclusive) : low > high) return undefined;
  return { low, lowInclusive, high, highInclusive, unit: a.unit };
}

function inUnit(interval: Interval, unit: string | undefined): Interval | undefined {
  if (interval.unit === unit) return interval;
  if (interval.unit === undefined || unit === undefined) return undefined;
  const side = (value: number) => (Number.isFinite(value) ? convert(value, interval.unit!, unit) : value);
  const low = side(interval.low);
  const high = side(interval.high);
  return low === undefined || high === undefined ? undefined : { ...interval, low, high, unit };
}

function boxesOfLeaf(leaf: Leaf, holds: boolean): readonly Box[] {
  if (leaf.kind === 'range') {
    const { subject, low, high, lowInclusive, highInclusive } = leaf;
    const sides = [
      ...side(subject, lowInclusive ? '>=' : '>', low, holds),
      ...side(subject, highInclusive ? '<=' : '<', high, holds),
    ];
    return holds ? product([sides[0]!], [sides[1]!]) : sides;
  }
  const { left, right } = leaf;
  const operator = holds ? leaf.operator : NEGATED[leaf.operator];
  if (isSubject(left) && isSubject(right)) {
    const isSame = left.kind === right.kind && keyOf(left.subject) === keyOf(right.subject);
    return isSame && (operator === '<' || operator === '>' || operator === '!=') ? [] : [EVERYTHING];
  }
  if (isSubject(right)) return [EVERYTHING];
  if (right.kind === 'infinity') return meetsInfinity(operator, right.sign) ? [EVERYTHING] : [];
  if (operator === '!=') return [...side(left, '<', right, true), ...side(left, '>', right, true)];
  return side(left, operator, right, true);
}

/** Whether every value, which is finite, stands so to an infinite one; else none does. */
const meetsInfinity = (operator: ComparisonOperator, sign: 1 | -1): boolean =>
  operator === '!=' || (operator !== '=' && operator.startsWith('<') === (sign === 1));

/** One side of a range; negated it is what lies beyond, which is nothing beyond an infinite bound. */
function side(subject: Operand, operator: ComparisonOperator, limit: Value, holds: boolean): Box[] {
  if (limit.kind === 'infinity') return holds ? [EVERYTHING] : [];
  if (!isSubject(subject) || limit.kind !== 'quantity') return [EVERYTHING];
  const key = `${subject.kind === 'change' ? 'Δ' : ''}${keyOf(subject.subject)}`;
  return [new Map([[key, intervalOf(holds ? operator : NEGATED[operator], limit)]])];
}

/** The values that a comparison with a limit admits; `!=` is not one interval. */
export function intervalOf(
  operator: ComparisonOperator,
  { value, unit }: Extract<Value, { kind: 'quantity' }>,
): Interval {
  const below = operator === '<' || operator === '<=' || operator === '=';
  const above = operator === '>' || operator === '>=' || operator === '=';
  return {
    low: above ? value : ALL.low,
    lowInclusive: operator !== '>',
    high: below ? value : ALL.high,
    highInclusive: operator !== '<',
    unit,
  };
}
