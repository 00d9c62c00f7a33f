import type { Sensor } from '../../rig/registry/registry.ts';
import type { Measure } from '../../rig/units/amount.ts';
import { comparable } from '../../rig/units/units.ts';
import { chooseValue } from '../rig/dry/choose-value.ts';
import type { Wish, Wishes } from '../rig/rig.ts';
import type { BoundInstruction } from './bounds.ts';
import { type Bound, boundWishes, wishOf } from './bounds.ts';
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
 * Judges a reading by the bounds in force, one check event each (language specification, section 6.4).
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
  const actual = asUnit(measured, unit, measure, bound, goal, sensor);
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
    instruction.pos,
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

/** Dry-run: a chosen reading has another scale than the bound, so a value on that scale is chosen too. */
function asUnit(
  measured: Measured,
  unit: string | undefined,
  measure: Measure | undefined,
  bound: Bound,
  goal: GoalContext,
  sensor: Sensor | undefined,
): Measured {
  const converted = inUnit(measured, unit, goal.run.scaleOf(sensor), measure);
  const isOtherScale = unit !== undefined && measured.unit !== null && !comparable(measured.unit, unit);
  if (!measured.free || !isOtherScale) return converted;
  const { value } = chooseValue(boundWishes([bound], comingWishes(measured.key, goal)), unit);
  return { ...converted, value };
}

/** What the bounds of the goal ask of a reading in a dry-run. */
export const wishesOfBounds = (key: string, goal: GoalContext): Wishes =>
  goal.run.dry ? boundWishes(goal.bounds.activeFor(key), comingWishes(key, goal)) : [];

/** Unit in which a GET or SAMPLE without one is read: that of the bounds of the goal, if any. */
export function unitOfBounds(key: string, goal: GoalContext): string | undefined {
  for (const { low, high } of goal.bounds.activeFor(key)) {
    const unit = low?.unit ?? high?.unit;
    if (unit !== undefined) return unit;
  }
  return comingWishes(key, goal).find(({ unit }) => unit !== undefined)?.unit;
}

function comingWishes(key: string, goal: GoalContext): Wish[] {
  return goal.bounds.coming().flatMap((instruction) => {
    if (keyOfBound(instruction, goal) !== key) return [];
    return [...limitWish('>=', instruction.low, goal), ...limitWish('<=', instruction.high, goal)];
  });
}

function keyOfBound({ subject }: BoundInstruction, goal: GoalContext): string | undefined {
  try {
    return targetOf(subject, goal.run).key;
  } catch {
    // Its name depends on a variable that is set later; the bound is told when it is declared.
    return undefined;
  }
}

function limitWish(operator: '>=' | '<=', value: BoundInstruction['low'], goal: GoalContext): Wish[] {
  if (!value) return [];
  try {
    return wishOf(operator, limitOf(value, goal.run));
  } catch {
    // Not set yet: the bound is judged, or told, when it is declared.
    return [];
  }
}

/** Judges a variable that was just set, when the goal has a bound on it. @returns false when one was violated */
export function judgeVariable(name: string, goal: GoalContext): boolean {
  const key = variableKey(name, goal.run);
  const bounds = goal.bounds.activeFor(key);
  if (bounds.length === 0) return true;
  const unit = unitOfBounds(key, goal);
  const wishes = wishesOfBounds(key, goal);
  const measured = measureVariable({ kind: 'variable', name, key }, { unit, wishes }, goal);
  goal.remember(measured, true);
  return judgeBounds(measured, goal);
}
