import type { Sensor } from '../../rig/registry/registry.ts';
import { chooseValue } from '../rig/dry/choose-value.ts';
import { RunFault } from '../rig/fault.ts';
import type { Wish, Wishes } from '../rig/rig.ts';
import type { BoundInstruction } from './bounds.ts';
import { type Bound, boundWishes, wishOf } from './bounds.ts';
import { defaultText, finiteOrNull } from './check-text.ts';
import { compare } from './compare.ts';
import { inUnit } from './convert-reading.ts';
import type { GoalContext } from './goal-context.ts';
import { limitOf } from './limit.ts';
import { calibrationMember, type Measured } from './measured.ts';
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
  const side = (limit: typeof low) => (limit && limit.unit === undefined ? { ...limit, unit } : limit);
  const compared = { low: side(low), high: side(high) };
  const actual = asUnit(measured, unit, bound, goal, sensor);
  const lowHere = limitIn(compared.low, actual.unit, measured.sensor);
  const highHere = limitIn(compared.high, actual.unit, measured.sensor);
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

/** A limit in the unit of the reading that it is compared with. */
function limitIn(
  limit: { readonly value: number; readonly unit?: string | undefined } | undefined,
  unit: string | null,
  name: string,
): number | undefined {
  if (!limit) return undefined;
  if (limit.unit === undefined || unit === null || !Number.isFinite(limit.value)) return limit.value;
  return convertLimit(limit.value, limit.unit, unit, name);
}

function convertLimit(value: number, from: string, to: string, name: string): number {
  const probe: Measured = {
    sensor: name,
    key: '',
    value,
    unit: from,
    raw: null,
    rawUnit: null,
    at: '',
    ageMs: 0,
    source: '',
    simulated: false,
    bench: false,
    free: false,
    contradiction: false,
  };
  return inUnit(probe, to, undefined).value;
}

/** Dry-run: a chosen reading has another scale than the bound, so a value on that scale is chosen too. */
function asUnit(
  measured: Measured,
  unit: string | undefined,
  bound: Bound,
  goal: GoalContext,
  sensor: Sensor | undefined,
): Measured {
  try {
    return inUnit(measured, unit, goal.run.scaleOf(sensor));
  } catch (thrown) {
    if (!(thrown instanceof RunFault) || !measured.free || unit === undefined) throw thrown;
    const { value } = chooseValue(boundWishes([bound], comingWishes(measured.key, goal)), unit);
    return { ...measured, value, unit };
  }
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
  const key = variableKey(name);
  const bounds = goal.bounds.activeFor(key);
  if (bounds.length === 0) return true;
  const unit = unitOfBounds(key, goal);
  const wishes = wishesOfBounds(key, goal);
  const measured = measureVariable({ kind: 'variable', name, key }, { unit, wishes }, goal);
  goal.remember(measured, true);
  return judgeBounds(measured, goal);
}
