import type { Registry } from '../../rig/registry/registry.ts';
import { isOffsetScale } from '../../rig/units/amount.ts';
import { convert } from '../../rig/units/units.ts';
import type { CalcFunction } from '../program/instruction.ts';
import type { Value } from '../program/operand.ts';
import {
  type Alternatives,
  asNumber,
  convertRange,
  MEASURED,
  type NumberRange,
  rangeOf,
} from './abstract-value.ts';
import type { Environment } from './environment.ts';
import { resolveValue } from './resolve-value.ts';

/** Most combinations of alternatives that are computed one by one. */
const MAX_COMBINATIONS = 256;

const { NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;
const EVERYTHING = { low: NEGATIVE_INFINITY, high: POSITIVE_INFINITY };

/** What CALC may give; empty when it is an error in any case. The rules are those of the interpreter. */
export function calculateRanges(
  fn: CalcFunction,
  args: readonly Value[],
  variables: Environment,
  registry: Registry,
): Alternatives {
  const [only] = args;
  // A single sampled sensor means its samples.
  if (args.length === 1 && only && isSensor(only, registry))
    return [fn === 'COUNT' ? rangeOf(0, POSITIVE_INFINITY) : MEASURED];
  const amounts = args.map((arg) => amountsOf(arg, variables, registry));
  if (amounts.reduce((count, { length }) => count * length, 1) > MAX_COMBINATIONS) return [MEASURED];
  return combinationsOf(amounts).flatMap((one) => compute(fn, one) ?? []);
}

/** Each choice of one alternative of every amount. The lists are copied only where there is more than one. */
function combinationsOf(amounts: readonly (readonly NumberRange[])[]): NumberRange[][] {
  let all: NumberRange[][] = [[]];
  for (const choices of amounts) {
    const [first, ...others] = choices;
    if (!first) return [];
    const more = others.flatMap((choice) => all.map((one) => [...one, choice]));
    for (const one of all) one.push(first);
    all = [...all, ...more];
  }
  return all;
}

const nameOf = (value: Value): string | undefined =>
  value.kind === 'variable' ? value.name : value.kind === 'text' ? value.text : undefined;

function isSensor(value: Value, registry: Registry): boolean {
  const name = nameOf(value);
  return name !== undefined && registry.sensor(name) !== undefined;
}

function amountsOf(value: Value, variables: Environment, registry: Registry): NumberRange[] {
  const name = nameOf(value);
  const named = name === undefined ? resolveValue(value, variables) : variables.get(name);
  const numbers = named.flatMap((one) => asNumber(one) ?? []);
  return isSensor(value, registry) ? [...numbers, MEASURED] : numbers;
}

function compute(fn: CalcFunction, amounts: readonly NumberRange[]): NumberRange | undefined {
  if (fn === 'COUNT') return rangeOf(amounts.length, amounts.length);
  if (fn === 'STDDEV') return { ...MEASURED, low: 0 };
  if (fn === 'MUL') return amounts.reduce((a, b) => multiply(a, b));
  if (fn === 'DIV') return amounts.reduce((a, b) => divide(a, b));
  return combine(fn, amounts);
}

type Combining = Exclude<CalcFunction, 'COUNT' | 'STDDEV' | 'MUL' | 'DIV'>;

/** Functions that bring their amounts to one unit, that of the first one that has any. */
function combine(fn: Combining, amounts: readonly NumberRange[]): NumberRange | undefined {
  const reference = amounts.find(({ unit }) => unit !== undefined)?.unit;
  const isVague = amounts.some(({ knowledge }) => knowledge !== 'exact');
  if (reference === undefined) {
    const strangers = amounts.filter(({ knowledge }) => knowledge === 'none').length;
    // Two numbers in units that nobody knows may be converted into each other.
    const values = amounts.map((one) =>
      strangers > 1 && one.knowledge === 'none' ? { ...one, ...EVERYTHING } : one,
    );
    return { ...fold(fn, values), unit: undefined, knowledge: isVague ? 'none' : 'exact' };
  }
  // Points and differences of temperatures are distinguished when it runs; nothing is claimed of them here.
  if (isOffsetScale(reference))
    return { kind: 'number', ...EVERYTHING, unit: reference, knowledge: isVague ? 'comparable' : 'exact' };
  const values: NumberRange[] = [];
  for (const one of amounts) {
    if (one.unit !== undefined) {
      const converted = convertRange(one, reference);
      if (!converted) return undefined;
      values.push(converted);
      // A number without unit takes that of the result, which is known only when all units are.
    } else values.push(isVague ? { ...one, ...EVERYTHING } : one);
  }
  return { ...fold(fn, values), unit: reference, knowledge: isVague ? 'comparable' : 'exact' };
}

function fold(fn: Combining, values: readonly NumberRange[]): NumberRange {
  const ends = (end: (one: NumberRange) => number, put: (a: number, b: number) => number) =>
    values.map(end).reduce((a, b) => put(a, b));
  const low = (one: NumberRange) => one.low;
  const high = (one: NumberRange) => one.high;
  const add = (a: number, b: number) => a + b;
  switch (fn) {
    case 'SUM':
    case 'ADD':
      return rangeOf(ends(low, add), ends(high, add));
    case 'AVG':
      return rangeOf(ends(low, add) / values.length, ends(high, add) / values.length);
    case 'MIN':
      return rangeOf(ends(low, Math.min), ends(high, Math.min));
    case 'MAX':
      return rangeOf(ends(low, Math.max), ends(high, Math.max));
    case 'SUB':
      return values.reduce((a, b) => rangeOf(a.low - b.high, a.high - b.low));
  }
}

/** Numbers are multiplied as they are; only their units are put together. */
function multiply(a: NumberRange, b: NumberRange): NumberRange {
  const [x, y] = [bare(a), bare(b)];
  const products = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high].map((one) =>
    Number.isNaN(one) ? 0 : one,
  );
  const isExact = a.knowledge === 'exact' && b.knowledge === 'exact';
  const unit = a.unit === undefined ? b.unit : b.unit === undefined ? a.unit : `${a.unit}·${b.unit}`;
  return {
    kind: 'number',
    low: Math.min(...products),
    high: Math.max(...products),
    unit: isExact ? unit : undefined,
    knowledge: isExact ? 'exact' : 'none',
  };
}

function divide(a: NumberRange, b: NumberRange): NumberRange {
  const isExact = a.knowledge === 'exact' && b.knowledge === 'exact';
  const haveUnits = a.unit !== undefined && b.unit !== undefined;
  const isSameKind = isExact && haveUnits && convert(1, b.unit ?? '', a.unit ?? '') !== undefined;
  const divisor = isSameKind ? (convertRange(b, a.unit ?? '') ?? b) : bare(b);
  const dividend = bare(a);
  // A dividend in an unknown unit may be converted before it is divided by one that has a unit.
  const isScaled = !isExact && (b.unit !== undefined || b.knowledge !== 'exact');
  const unit = isSameKind
    ? undefined
    : b.unit === undefined
      ? a.unit
      : a.unit === undefined
        ? `1/${b.unit}`
        : `${a.unit}/${b.unit}`;
  const known = { unit: isExact ? unit : undefined, knowledge: isExact ? 'exact' : 'none' } as const;
  if (isScaled || isOffsetScale(a.unit) || (divisor.low <= 0 && divisor.high >= 0))
    return { kind: 'number', ...EVERYTHING, ...known };
  const quotients = [
    dividend.low / divisor.low,
    dividend.low / divisor.high,
    dividend.high / divisor.low,
    dividend.high / divisor.high,
  ].map((one) => (Number.isNaN(one) ? 0 : one));
  return { kind: 'number', low: Math.min(...quotients), high: Math.max(...quotients), ...known };
}

/** The number as it stands; with a unit that is only comparable it may be any. */
const bare = (one: NumberRange): NumberRange =>
  one.knowledge === 'comparable' ? { ...one, ...EVERYTHING } : one;
