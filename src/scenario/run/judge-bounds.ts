import type { Measure } from '../../rig/units/amount.ts';
import type { Bound, BoundInstruction } from './bounds.ts';
import { defaultText, finiteOrNull } from './check-text.ts';
import { compare } from './compare.ts';
import { amountIn, measureTogether, unitsFault } from './convert-amount.ts';
import { inUnit } from './convert-reading.ts';
import type { GoalContext } from './goal-context.ts';
import { type Limit, limitOf } from './limit.ts';
import { asAmount, calibrationMember, type Measured } from './measured.ts';
import { measureVariable } from './readings.ts';
import { namesOf, targetOf, variableKey } from './target.ts';

/**
 * Judges a reading by the bounds in force, one check event each.
 * @returns false when one of them was violated
 * @throws RunFault SCN227, SCN240 when the reading cannot be compared with a bound
 */
export function judgeBounds(measured: Measured, goal: GoalContext): boolean {
  let good = true;
  for (const bound of goal.bounds.activeFor(measured.key)) good = judgeBound(bound, measured, goal) && good;
  return good;
}

export function judgeBound(bound: Bound, measured: Measured, goal: GoalContext): boolean {
  const { low, high, subject, instruction } = bound;
  if (!low && !high) return true;
  const target = targetOf(subject, goal.run);
  const sensor = target.kind === 'sensor' ? target.sensor : undefined;
  const unit = low?.unit ?? high?.unit ?? sensor?.unit;
  const limits = [low, high].flatMap((limit) => limit ?? []);
  const measure = measureTogether([asAmount(measured), ...limits]);
  const actual = inUnit(measured, unit, goal.run.scaleOf(sensor), measure);
  const lowHere = limitIn(low, unit, actual.unit, measure);
  const highHere = limitIn(high, unit, actual.unit, measure);
  const passed =
    (lowHere === undefined || compare(actual.value, '>=', lowHere)) &&
    (highHere === undefined || compare(actual.value, '<=', highHere));
  bound.met = true;
  goal.judge(
    {
      kind: instruction.form,
      sensor: measured.sensor,
      op: low && high ? 'in' : low ? '>=' : '<=',
      low: finiteOrNull(lowHere),
      high: finiteOrNull(highHere),
      actual: actual.value,
      unit: actual.unit,
      ...calibrationMember(actual),
      outcome: passed ? 'passed' : 'failed',
      message: defaultText(
        measured.sensor,
        passed,
        lowHere ?? Number.NEGATIVE_INFINITY,
        highHere ?? Number.POSITIVE_INFINITY,
        actual.unit,
      ),
    },
    instruction,
    namesOf(target),
  );
  return passed;
}

/** A limit in the unit of the reading that it is compared with. @param own unit of one that has none */
function limitIn(
  limit: Limit | undefined,
  own: string | undefined,
  unit: string | null,
  measure: Measure | undefined,
): number | undefined {
  if (!limit || unit === null) return limit?.value;
  const from = limit.unit ?? own;
  const value = amountIn({ ...limit, unit: from }, unit, measure);
  if (value === undefined) throw unitsFault(`the limit ${limit.value}`, from ?? 'no unit', unit);
  return value;
}

/** Unit in which a GET or SAMPLE without one is read: that of the bounds of the goal, if any. */
export function unitOfBounds(key: string, goal: GoalContext): string | undefined {
  for (const { low, high } of goal.bounds.activeFor(key)) {
    const unit = low?.unit ?? high?.unit;
    if (unit !== undefined) return unit;
  }
  for (const { low, high } of comingLimits(key, goal)) {
    const unit = low?.unit ?? high?.unit;
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** The two sides of a bound; absent where it is open. */
export interface Sides {
  readonly low: Limit | undefined;
  readonly high: Limit | undefined;
}

/** The limits that the goal still may set, as far as they are known by now. */
export function* comingLimits(key: string, goal: GoalContext): Iterable<Sides> {
  for (const { low, high } of goal.bounds.coming(key, (one) => keyOfBound(one, goal)))
    yield { low: knownLimit(low, goal), high: knownLimit(high, goal) };
}

function keyOfBound({ subject }: BoundInstruction, goal: GoalContext): string | undefined {
  try {
    return targetOf(subject, goal.run).key;
  } catch {
    // Its name depends on a variable that is set later; the bound is reported when it is declared.
    return undefined;
  }
}

function knownLimit(value: BoundInstruction['low'], goal: GoalContext): Limit | undefined {
  try {
    return value && limitOf(value, goal.run);
  } catch {
    // Not set yet: the bound is judged, or told, when it is declared.
    return undefined;
  }
}

/** Judges a variable that was just set, when the goal has a bound on it. @returns false when one was violated */
export function judgeVariable(name: string, goal: GoalContext): boolean {
  const key = variableKey(name, goal.run);
  if (goal.bounds.activeFor(key).length === 0) return true;
  const measured = measureVariable({ kind: 'variable', name, key }, goal);
  goal.remember(measured, true);
  return judgeBounds(measured, goal);
}
