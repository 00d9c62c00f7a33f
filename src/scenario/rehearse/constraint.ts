import type { Amount } from '../../rig/units/amount.ts';
import { ArithmeticError } from '../../rig/units/arithmetic.ts';
import type { ComparisonOperator } from '../program/operand.ts';
import { RunFault } from '../rig/fault.ts';
import { compare } from '../run/compare.ts';
import { chooseValue } from './choose-value.ts';
import type { Direction, Node } from './node.ts';

/** What was judged in a pass and should hold: left `operator` right. */
export interface Constraint {
  readonly left: Node;
  readonly operator: ComparisonOperator;
  readonly right: Node;
  /** A branch that should be taken: it decides about nothing. */
  readonly isOptional?: boolean;
}

interface Sides {
  readonly left: number;
  readonly right: number;
  readonly unit: string | undefined;
}

/** Both sides in the unit of the limit; undefined where they cannot be compared. */
function sidesOf({ left, right }: Constraint): Sides | undefined {
  const unit = amountNow(right)?.unit ?? amountNow(left)?.unit;
  const [here, there] = [amountNow(left, unit), amountNow(right, unit)];
  return here && there && { left: here.value, right: there.value, unit };
}

/** Undefined for a calculation that gives nothing, which is for the run to say. */
export function amountNow(node: Node, unit?: string): Amount | undefined {
  try {
    const amount = node.amount(unit);
    return Number.isFinite(amount.value) ? amount : undefined;
  } catch (thrown) {
    if (thrown instanceof ArithmeticError || thrown instanceof RunFault) return undefined;
    throw thrown;
  }
}

export function isMet(constraint: Constraint): boolean {
  const sides = sidesOf(constraint);
  return sides === undefined || compare(sides.left, constraint.operator, sides.right);
}

/** Sweeps over all constraints: a few suffice for most scenarios, and what is not met after many never is. */
const SWEEPS = 100;
/** Constraints looked at in all sweeps together: a window of an hour has 36,000 points with a bound each. */
const MOST_LOOKS = 200_000;
/** In the first ones the values are put well inside of the limits, then only just inside. */
const GENEROUS_SWEEPS = 2;
const JUST_INSIDE = 1e-6;

/** Moves what was chosen until the constraints hold, each in its turn. @returns false when they do not hold together */
export function meetAll(constraints: readonly Constraint[]): boolean {
  const about = new Map<Node, Constraint[]>();
  for (const one of constraints) about.set(one.left, [...(about.get(one.left) ?? []), one]);
  const sweeps = Math.min(SWEEPS, MOST_LOOKS / constraints.length);
  for (let sweep = 0; sweep <= sweeps; sweep++) {
    const unmet = constraints.filter((one) => !isMet(one));
    if (unmet.length === 0) return true;
    const isGenerous = sweep < GENEROUS_SWEEPS;
    for (const one of unmet)
      if (!isMet(one) && !approach(one, isGenerous ? about.get(one.left) : undefined)) return false;
  }
  return false;
}

/** Steps of a secant: one is exact where a value follows in proportion. */
const STEPS = 4;
/** How far the points are moved to see what follows. */
const PROBE = 1e-3;
const NOTHING = 1e-12;

/** @param same those about the same value: it is put well inside of them. @returns false when nothing that was chosen leads there */
function approach(constraint: Constraint, same: readonly Constraint[] | undefined): boolean {
  let isMoved = false;
  for (let step = 0; step < STEPS; step++) {
    const sides = sidesOf(constraint);
    if (!sides) return isMoved;
    const missing = goalOf(constraint, sides, same) - (sides.left - sides.right);
    if (Math.abs(missing) <= NOTHING * Math.max(1, Math.abs(sides.right))) return isMoved;
    const whole: Direction = new Map();
    constraint.left.grow(whole, 1, sides.unit);
    constraint.right.grow(whole, -1, sides.unit);
    // Two readings that are equal have no way apart together: then one of them moves.
    const ways = [whole, ...[...whole].map((part): Direction => new Map([part]))];
    if (!ways.some((way) => go(way, missing, constraint, sides))) return isMoved;
    isMoved = true;
  }
  return isMoved;
}

/** Moves the points so far that the missing difference is made up. @returns false, with nothing moved, when it does not change */
function go(way: Direction, missing: number, constraint: Constraint, before: Sides): boolean {
  move(way, PROBE);
  const after = sidesOf(constraint);
  const slope = after ? (after.left - after.right - (before.left - before.right)) / PROBE : 0;
  const isLeading = Math.abs(slope) > NOTHING;
  move(way, isLeading ? missing / slope - PROBE : -PROBE);
  return isLeading;
}

/** Where the difference of both sides should come to. */
function goalOf({ operator }: Constraint, { right, unit }: Sides, same: readonly Constraint[] = []): number {
  const wishes = same.flatMap((one) => {
    const other = sidesOf(one);
    return other && other.unit === unit ? [{ operator: one.operator, value: other.right }] : [];
  });
  const value = chooseValue([wishes], unit);
  if (wishes.length > 0 && compare(value, operator, right)) return value - right;
  if (operator === '=') return 0;
  const inset = operator === '>=' || operator === '<=' ? 0 : JUST_INSIDE * Math.max(1, Math.abs(right));
  return operator === '<' || operator === '<=' ? -inset : inset;
}

function move(direction: Direction, way: number): void {
  for (const [{ points }, weights] of direction)
    for (const [n, weight] of weights) points[n] = (points[n] ?? 0) + weight * way;
}
