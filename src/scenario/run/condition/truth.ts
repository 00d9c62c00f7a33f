import type { ComparisonOperator, Condition } from '../../program/operand.ts';
import { RunFault } from '../../rig/fault.ts';
import { compare } from '../compare.ts';
import { inUnit } from '../convert-reading.ts';
import type { Limit } from '../limit.ts';
import type { Measured } from '../measured.ts';
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
  const unit = unitOf(b) ?? unitOf(a);
  return compare(valueIn(a, unit), operator, valueIn(b, unit));
}

export const unitOf = (plain: Exclude<Plain, { text: string }>): string | undefined =>
  'measured' in plain ? (plain.measured.unit ?? undefined) : plain.unit;

export function valueIn(plain: Exclude<Plain, { text: string }>, unit: string | undefined): number {
  if ('measured' in plain) {
    return inUnit(plain.measured, unit, plain.probe.scale).value;
  }
  if (unit === undefined || plain.unit === undefined || plain.unit === unit) return plain.value;
  return limitInUnit(plain, unit);
}

function limitInUnit({ value, unit: from }: Limit, unit: string): number {
  if (!Number.isFinite(value)) return value;
  const blank = { raw: null, rawUnit: null, at: '', ageMs: 0, source: '', simulated: false };
  const flags = { bench: false, free: false, contradiction: false };
  return inUnit(
    { sensor: `${value}`, key: '', value, unit: from ?? null, ...blank, ...flags },
    unit,
    undefined,
  ).value;
}

function textsHold(a: Plain, operator: ComparisonOperator, b: Plain): boolean {
  const text = (plain: Plain): string =>
    'text' in plain ? plain.text : textOf('measured' in plain ? plain.measured.value : plain.value);
  if (operator === '=') return text(a) === text(b);
  if (operator === '!=') return text(a) !== text(b);
  throw new RunFault(
    'SCN240',
    `"${text(a)}" and "${text(b)}" cannot be compared by ${operator}: a text is only equal or not`,
  );
}
