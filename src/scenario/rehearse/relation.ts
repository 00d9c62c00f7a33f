import type { Amount } from '../../rig/units/amount.ts';
import { ArithmeticError } from '../../rig/units/arithmetic.ts';
import type { ComparisonOperator } from '../program/operand.ts';
import { RunFault } from '../rig/fault.ts';
import { compare } from '../run/compare.ts';
import { chooseValue } from './choose-value.ts';
import type { Direction, Node } from './node.ts';

/** A comparison that the run makes, and that should hold. */
export interface Relation {
  readonly left: Node;
  readonly operator: ComparisonOperator;
  readonly right: Node;
  /** It decides only which branch is taken. */
  readonly isOptional?: boolean;
}

interface Sides {
  readonly left: number;
  readonly right: number;
  readonly unit: string | undefined;
}

/** Both sides in the unit of the right one; undefined where they cannot be compared, which the run reports. */
function sidesOf({ left, right }: Relation): Sides | undefined {
  const unit = amountOf(right)?.unit ?? amountOf(left)?.unit;
  const [here, there] = [amountOf(left, unit), amountOf(right, unit)];
  return here && there && { left: here.value, right: there.value, unit };
}

/** The number of a node now; undefined where its calculation has none. */
export function amountOf(node: Node, unit?: string): Amount | undefined {
  try {
    const amount = node.amount(unit);
    return Number.isFinite(amount.value) ? amount : undefined;
  } catch (thrown) {
    if (thrown instanceof ArithmeticError || thrown instanceof RunFault) return undefined;
    throw thrown;
  }
}

export function holds(relation: Relation): boolean {
  const sides = sidesOf(relation);
  return sides === undefined || compare(sides.left, relation.operator, sides.right);
}

/** Most scenarios need a few sweeps over their relations; what does not hold after this many never does. */
const SWEEPS = 100;
/** Relations evaluated in all sweeps together: a window of an hour has 36,000 points, and a bound for each. */
const MOST_EVALUATIONS = 200_000;
/** The first sweeps put a value well inside its limits, the others only just inside. */
const GENEROUS_SWEEPS = 2;
const JUST_INSIDE = 1e-6;

/** Moves the chosen values until the relations hold, one relation after the other. @returns false when they never all hold */
export function satisfyAll(relations: readonly Relation[]): boolean {
  const about = new Map<Node, Relation[]>();
  for (const one of relations) about.set(one.left, [...(about.get(one.left) ?? []), one]);
  const sweeps = Math.min(SWEEPS, MOST_EVALUATIONS / relations.length);
  for (let sweep = 0; sweep <= sweeps; sweep++) {
    const unmet = relations.filter((one) => !holds(one));
    if (unmet.length === 0) return true;
    const isGenerous = sweep < GENEROUS_SWEEPS;
    for (const one of unmet)
      if (!holds(one) && !approach(one, isGenerous ? about.get(one.left) : undefined)) return false;
  }
  return false;
}

/** Steps of the secant method: the first one is exact where the value is linear in the points. */
const STEPS = 4;
/** How far points are moved to measure the slope. */
const PROBE = 1e-3;
const FLAT = 1e-9;
const ROUNDING = 1e-12;

/**
 * Moves the points that a relation depends on until it holds.
 * @param same the relations with the same left side: the value is put well inside all of them
 * @returns false when no point changes it
 */
function approach(relation: Relation, same: readonly Relation[] | undefined): boolean {
  let isMoved = false;
  for (let step = 0; step < STEPS; step++) {
    const sides = sidesOf(relation);
    if (!sides) return isMoved;
    const missing = goalOf(relation, sides, same) - (sides.left - sides.right);
    if (Math.abs(missing) <= ROUNDING * Math.max(1, Math.abs(sides.right))) return isMoved;
    const whole: Direction = new Map();
    relation.left.grow(whole, 1, sides.unit);
    relation.right.grow(whole, -1, sides.unit);
    // Two equal readings that both grow never differ: then one of them moves alone.
    const directions = [whole, ...[...whole].map((part): Direction => new Map([part]))];
    if (!directions.some((one) => go(one, missing, relation, sides))) return isMoved;
    isMoved = true;
  }
  return isMoved;
}

/** Moves points along a direction by the missing difference. @returns false, and moves nothing, when that changes nothing */
function go(direction: Direction, missing: number, relation: Relation, before: Sides): boolean {
  move(direction, PROBE);
  const after = sidesOf(relation);
  const slope = after ? (after.left - after.right - (before.left - before.right)) / PROBE : 0;
  const isSteep = Math.abs(slope) > FLAT;
  move(direction, isSteep ? missing / slope - PROBE : -PROBE);
  return isSteep;
}

/** What the difference of both sides should become. */
function goalOf({ operator }: Relation, { right, unit }: Sides, same: readonly Relation[] = []): number {
  const constraints = same.flatMap((one) => {
    const other = sidesOf(one);
    return other && other.unit === unit ? [{ operator: one.operator, value: other.right }] : [];
  });
  const value = chooseValue([constraints], unit);
  if (constraints.length > 0 && compare(value, operator, right)) return value - right;
  if (operator === '=') return 0;
  const inset = operator === '>=' || operator === '<=' ? 0 : JUST_INSIDE * Math.max(1, Math.abs(right));
  return operator === '<' || operator === '<=' ? -inset : inset;
}

function move(direction: Direction, distance: number): void {
  for (const [{ points }, weights] of direction)
    for (const [n, weight] of weights) points[n] = (points[n] ?? 0) + weight * distance;
}
