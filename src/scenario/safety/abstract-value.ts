import { convert } from '../../rig/units/units.ts';
import type { Variable } from '../events/event.ts';
import { formatNumber } from '../values/number.ts';
import { parseQuantity } from '../values/quantity.ts';

/**
 * How well the unit of a number is known. `exact`: the number is in `unit` (undefined: it has none). `comparable`: it
 * is in some unit of that dimension, and the interval is right once it is converted to `unit`. `none`: nothing is known
 * about the unit, and the interval is that of the bare number.
 */
export type UnitKnowledge = 'exact' | 'comparable' | 'none';

/** All numbers from `low` to `high`, both included. */
export interface NumberRange {
  readonly kind: 'number';
  readonly low: number;
  readonly high: number;
  readonly unit: string | undefined;
  readonly knowledge: UnitKnowledge;
}

/** What a variable or a setpoint may be; several of them stand for any one of them. */
export type AbstractValue =
  | NumberRange
  | { readonly kind: 'text'; readonly text: string }
  /** Not set on one of the paths: using it is an error before anything is sent. */
  | { readonly kind: 'unset' }
  /** Anything: a text, a number, a boolean. */
  | { readonly kind: 'any' };

export type Alternatives = readonly AbstractValue[];

/** Beyond this many alternatives numbers are joined into ranges. */
const MAX_ALTERNATIVES = 12;

const { POSITIVE_INFINITY, NEGATIVE_INFINITY } = Number;

export const ANY: AbstractValue = { kind: 'any' };
export const UNSET: AbstractValue = { kind: 'unset' };

/** A number that is known only when the scenario runs: a reading, or what follows from one. */
export const MEASURED: NumberRange = {
  kind: 'number',
  low: NEGATIVE_INFINITY,
  high: POSITIVE_INFINITY,
  unit: undefined,
  knowledge: 'none',
};

export const exactly = (value: number, unit?: string): NumberRange => rangeOf(value, value, unit);

export const rangeOf = (low: number, high: number, unit?: string): NumberRange => ({
  kind: 'number',
  low,
  high,
  unit,
  knowledge: 'exact',
});

/** A value that is known before the run. */
export function abstractOf({ value, unit }: Variable): AbstractValue {
  if (typeof value === 'number') return exactly(value, unit);
  return typeof value === 'string' && unit === undefined ? { kind: 'text', text: value } : ANY;
}

export const isPoint = ({ low, high }: NumberRange): boolean => low === high;

/** The range in another unit; undefined when that is another dimension. Conversions of units never fall. */
export function convertRange(range: NumberRange, unit: string): NumberRange | undefined {
  if (range.unit === undefined) return undefined;
  const { low, high } = range;
  // Infinity times a factor stays what it is, but not plus an offset of opposite sign.
  const end = (value: number) =>
    Number.isFinite(value)
      ? convert(value, range.unit ?? unit, unit)
      : convert(0, range.unit ?? unit, unit) === undefined
        ? undefined
        : value;
  const [from, to] = [end(low), end(high)];
  return from === undefined || to === undefined ? undefined : { ...range, low: from, high: to, unit };
}

/** A text that is a quantity is a number wherever one is wanted. */
export function asNumber(value: AbstractValue): NumberRange | undefined {
  if (value.kind === 'number') return value;
  if (value.kind === 'any') return MEASURED;
  const quantity = value.kind === 'text' ? parseQuantity(value.text) : undefined;
  return quantity && exactly(quantity.value, quantity.unit);
}

const keyOf = (value: AbstractValue): string =>
  value.kind === 'number'
    ? `${value.low}..${value.high} ${value.knowledge} ${value.unit ?? ''}`
    : value.kind === 'text'
      ? `"${value.text}`
      : value.kind;

export const sameAlternatives = (a: Alternatives, b: Alternatives): boolean =>
  a === b || (a.length === b.length && a.every((one) => b.some((other) => keyOf(one) === keyOf(other))));

/** Any of both. What lies within another range is left out. */
export function joinAlternatives(a: Alternatives, b: Alternatives): Alternatives {
  const added = b.filter((one) => !a.some((other) => covers(other, one)));
  if (added.length === 0) return a;
  const kept = a.filter((one) => !added.some((other) => covers(other, one)));
  const values = [...kept, ...added];
  const unset = values.filter(({ kind }) => kind === 'unset');
  return [...unset, ...shorten(values.filter(({ kind }) => kind !== 'unset'))];
}

function covers(wide: AbstractValue, narrow: AbstractValue): boolean {
  if (wide.kind === 'any') return narrow.kind !== 'unset';
  if (wide.kind !== 'number' || narrow.kind !== 'number') return keyOf(wide) === keyOf(narrow);
  const isSameUnit = wide.unit === narrow.unit && wide.knowledge === narrow.knowledge;
  return isSameUnit && wide.low <= narrow.low && narrow.high <= wide.high;
}

function shorten(values: Alternatives): Alternatives {
  if (values.length <= MAX_ALTERNATIVES) return values;
  const texts = values.filter(({ kind }) => kind === 'text');
  if (texts.length > MAX_ALTERNATIVES / 2) return [ANY];
  const hulls = new Map<string, NumberRange>();
  for (const value of values) {
    if (value.kind !== 'number') continue;
    const key = `${value.knowledge} ${value.unit ?? ''}`;
    const known = hulls.get(key);
    hulls.set(key, known ? hull(known, value) : value);
  }
  const joined = [...texts, ...hulls.values()];
  return joined.length <= MAX_ALTERNATIVES ? joined : [ANY];
}

const hull = (a: NumberRange, b: NumberRange): NumberRange => ({
  ...a,
  low: Math.min(a.low, b.low),
  high: Math.max(a.high, b.high),
});

/** A value that still grows after many rounds of a loop: its ends are given up where they move. */
export function widen(before: Alternatives, after: Alternatives): Alternatives {
  if (sameAlternatives(before, after)) return after;
  const old = ranges(before);
  const grown = ranges(after);
  const texts = [...before, ...after].some(({ kind }) => kind === 'text' || kind === 'any');
  const kinds = new Set([...old, ...grown].map(({ unit, knowledge }) => `${knowledge} ${unit ?? ''}`));
  if (texts || kinds.size !== 1 || old.length === 0 || grown.length === 0) return [ANY];
  const was = old.reduce(hull);
  const is = grown.reduce(hull);
  const low = is.low < was.low ? NEGATIVE_INFINITY : was.low;
  const high = is.high > was.high ? POSITIVE_INFINITY : was.high;
  const unset = [...before, ...after].some(({ kind }) => kind === 'unset');
  return [...(unset ? [UNSET] : []), { ...is, low, high }];
}

const ranges = (values: Alternatives): NumberRange[] =>
  values.filter((one): one is NumberRange => one.kind === 'number');

/** How a value reads in a text, when that is one text; undefined otherwise. */
export function textOfValue(value: AbstractValue): string | undefined {
  if (value.kind === 'text') return value.text;
  if (value.kind !== 'number' || !isPoint(value) || value.knowledge === 'comparable') return undefined;
  return formatNumber(value.low);
}
