import { type Amount, convertAs } from '../../rig/units/amount.ts';
import { calculate } from '../../rig/units/arithmetic.ts';
import { comparable } from '../../rig/units/units.ts';
import type { SampleStatistics } from '../events/event.ts';
import type { CalcFunction } from '../program/instruction.ts';
import { amountIn, type RunAmount } from '../run/convert-amount.ts';
import { Statistics } from '../run/statistics.ts';
import type { Chosen, Scale } from './chosen.ts';

/** Which points move, and how far in proportion to each other. */
export type Direction = Map<Scale, Map<number, number>>;

/** A number of the scenario: how it follows from the chosen values. */
export interface Node {
  /** It depends on no chosen value. */
  readonly isFixed?: true;
  /** Its value now; NaN where nothing leads to the unit. @throws ArithmeticError */
  amount(unit?: string): Amount;
  /** Adds the direction in which the chosen values make it grow. */
  grow(direction: Direction, weight: number, unit?: string): void;
}

/** A number that depends on no chosen value. */
export const constant = (fixed: RunAmount): Node => ({
  isFixed: true,
  amount: (unit) =>
    unit === undefined || fixed.unit === undefined
      ? fixed
      : { ...fixed, unit, value: amountIn(fixed, unit) ?? Number.NaN },
  grow: () => {},
});

export const negated = (node: Node): Node => ({
  amount: (unit) => {
    const amount = node.amount(unit);
    return { ...amount, value: -amount.value };
  },
  grow: (direction, weight, unit) => node.grow(direction, -weight, unit),
});

/** One reading, or one point of a window. */
export const pointOf = (chosen: Chosen, n = 0): Node => ({
  amount: (unit = chosen.unit) => ({
    value: chosen.value(unit, n),
    ...(chosen.unit === undefined ? {} : { unit, measure: 'point' }),
  }),
  grow: (direction, weight, unit = chosen.unit) => add(direction, chosen.scaleOf(unit), n, weight),
});

function add(direction: Direction, scale: Scale, n: number, weight: number): void {
  const weights = direction.get(scale) ?? new Map<number, number>();
  weights.set(n, (weights.get(n) ?? 0) + weight);
  direction.set(scale, weights);
}

export type Statistic = Exclude<keyof SampleStatistics, 'gaps'>;

/** A statistic of the points `from` to `to` of a window. */
export function statisticOf(chosen: Chosen, statistic: Statistic, from: number, to: number): Node {
  const valuesIn = (unit: string | undefined) =>
    Array.from({ length: to - from + 1 }, (_, i) => chosen.value(unit, from + i));
  const isDifference = statistic === 'delta' || statistic === 'stddev';
  return {
    amount: (unit = chosen.unit) => {
      const value = Statistics.of(valuesIn(unit), 0).summary()[statistic] ?? Number.NaN;
      if (statistic === 'count') return { value, measure: 'ratio' };
      return { value, unit, measure: isDifference ? 'difference' : 'point' };
    },
    grow: (direction, weight, unit = chosen.unit) => {
      const scale = chosen.scaleOf(unit);
      const share = shareIn(valuesIn(unit), statistic);
      for (let i = 0; from + i <= to; i++) add(direction, scale, from + i, weight * share(i));
    },
  };
}

/** How much each point moves when a statistic is to grow: a window leans, stretches or shifts as a whole. */
function shareIn(values: readonly number[], statistic: Statistic): (i: number) => number {
  const last = Math.max(1, values.length - 1);
  const low = values.reduce((a, b) => Math.min(a, b));
  const span = values.reduce((a, b) => Math.max(a, b)) - low;
  const height = (i: number): number => (values[i]! - low) / span;
  const isFlat = span < 1e-9;
  switch (statistic) {
    case 'count':
      return () => 0;
    case 'avg':
      return () => 1;
    case 'last':
      return (i) => i / last;
    case 'first':
      return (i) => 1 - i / last;
    case 'delta':
      return (i) => i / last - 0.5;
    case 'max':
      return (i) => (isFlat ? i / last : height(i));
    case 'min':
      return (i) => (isFlat ? 1 - i / last : 1 - height(i));
    case 'stddev':
      return (i) => (isFlat ? i % 2 : height(i)) - 0.5;
  }
}

/** What CALC makes of its operands. */
export function calculationOf(fn: CalcFunction, operands: readonly Node[]): Node {
  const amountsIn = (unit: string | undefined) => operands.map((one) => one.amount(unit));
  /** In another dimension, the result is computed from the operands in that dimension. */
  const unitOfOperands = (unit: string | undefined): string | undefined => {
    const own = calculate(fn, amountsIn(undefined)).unit;
    return unit === undefined || own === undefined || comparable(own, unit) ? undefined : unit;
  };
  return {
    amount: (unit) => {
      const result = calculate(fn, amountsIn(unitOfOperands(unit)));
      if (unit === undefined || result.unit === undefined) return result;
      const value = convertAs(result.value, result.unit, unit, result.measure) ?? Number.NaN;
      return { ...result, value, unit };
    },
    grow: (direction, weight, unit) => {
      const there = unitOfOperands(unit);
      const amounts = amountsIn(there);
      const { value } = calculate(fn, amounts);
      operands.forEach((operand, i) => {
        const step = Math.max(1, Math.abs(amounts[i]!.value)) / 1000;
        const moved = amounts.map((one, k) => (k === i ? { ...one, value: one.value + step } : one));
        const slope = (calculate(fn, moved).value - value) / step;
        if (slope !== 0) operand.grow(direction, weight * slope, there);
      });
    },
  };
}
