import type { Measure } from '../../../rig/units/amount.ts';
import type { ComparisonOperator, Condition } from '../../program/operand.ts';
import { RunFault } from '../../rig/fault.ts';
import { compare } from '../compare.ts';
import { amountIn, measureTogether, type RunAmount, unitsFault } from '../convert-amount.ts';
import { inUnit } from '../convert-reading.ts';
import type { Limit } from '../limit.ts';
import { asAmount, type Measured } from '../measured.ts';
import { textOf } from '../variables.ts';
import { type Leaf, operationsOf, type Probe, type ResolvedLeaf, type Side } from './leaf.ts';

export function truthOf(condition: Condition, leafTruth: (leaf: Leaf) => boolean): boolean {
  if (condition.kind === 'all') return condition.parts.every((part) => truthOf(part, leafTruth));
  if (condition.kind === 'any') return condition.parts.some((part) => truthOf(part, leafTruth));
  return leafTruth(condition);
}

export const leafHolds = (resolved: ResolvedLeaf): boolean =>
  operationsOf(resolved).every(({ operator, side }) => sidesHold(resolved.left, operator, side));

type Plain = { readonly text: string } | { readonly measured: Measured; readonly probe: Probe } | Limit;

export function plainOf(side: Side): Plain {
  if ('constant' in side) return side.constant.kind === 'text' ? { text: side.constant.text } : side.constant;
  const { text, measured } = side.probe;
  if (text !== undefined) return { text };
  if (!measured) throw new RunFault('SCN411', `${side.probe.target.name} was not read`);
  return { measured, probe: side.probe };
}

function sidesHold(left: Side, operator: ComparisonOperator, right: Side): boolean {
  const a = plainOf(left);
  const b = plainOf(right);
  if ('text' in a || 'text' in b) return textsHold(a, operator, b);
  const scale = scaleOf(a, [b]);
  return compare(valueIn(a, scale), operator, valueIn(b, scale));
}

type Numeric = Exclude<Plain, { text: string }>;

/** How numbers are compared. */
export interface ComparisonScale {
  readonly unit: string | undefined;
  readonly measure: Measure | undefined;
}

/**
 * The unit that numbers are compared in: that of a limit or variable, else the own one of a sensor. What a reading was
 * asked in for another part of the condition does not count.
 * @throws RunFault SCN240 for a temperature and a difference of temperatures
 */
export function scaleOf(left: Numeric, right: readonly Numeric[]): ComparisonScale {
  const all = [...right, left];
  const fixed = all.find((one) => !hasOwnUnit(one) && unitOf(one) !== undefined);
  const own = all.find(hasOwnUnit);
  return {
    unit: fixed ? unitOf(fixed) : own && 'probe' in own ? own.probe.ownUnit : unitOf(left),
    measure: measureTogether(all.map(amountOf)),
  };
}

const hasOwnUnit = (one: Numeric): boolean => 'probe' in one && one.probe.ownUnit !== undefined;

const amountOf = (one: Numeric): RunAmount => ('measured' in one ? asAmount(one.measured) : one);

const unitOf = (one: Numeric): string | undefined => amountOf(one).unit;

/** @throws RunFault SCN227, SCN240, SCN402 */
export function valueIn(one: Numeric, { unit, measure }: ComparisonScale): number {
  if ('measured' in one) return inUnit(one.measured, unit, one.probe.scale, measure).value;
  if (unit === undefined) return one.value;
  const value = amountIn(one, unit, measure);
  if (value === undefined) throw unitsFault(`the limit ${one.value}`, one.unit ?? 'no unit', unit);
  return value;
}

function textsHold(a: Plain, operator: ComparisonOperator, b: Plain): boolean {
  const text = (plain: Plain): string =>
    'text' in plain ? plain.text : textOf('measured' in plain ? plain.measured.value : plain.value);
  if (operator === '=') return text(a) === text(b);
  if (operator === '!=') return text(a) !== text(b);
  throw new RunFault(
    'SCN240',
    `"${text(a)}" and "${text(b)}" cannot be compared with ${operator}: texts only support = and !=`,
  );
}
