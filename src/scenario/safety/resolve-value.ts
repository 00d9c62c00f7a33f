import type { Value } from '../program/operand.ts';
import { interpolate, referencedNames } from '../values/interpolate.ts';
import { parseQuantity } from '../values/quantity.ts';
import {
  type AbstractValue,
  type Alternatives,
  ANY,
  asNumber,
  convertRange,
  exactly,
  type NumberRange,
  rangeOf,
  textOfValue,
} from './abstract-value.ts';
import type { Environment } from './environment.ts';

/** Most texts that one template is filled in to. */
const MAX_TEXTS = 64;

const ONE_REFERENCE = /^\s*\$(?:\{([^{}\s]+)\}|([\p{L}_][\p{L}\p{N}_.]*))\s*(\S*)\s*$/u;

/** What a value of the scenario may be when its command runs; empty when using it is an error in any case. */
export function resolveValue(value: Value, variables: Environment): Alternatives {
  switch (value.kind) {
    case 'quantity':
      return [exactly(value.value, value.unit)];
    case 'infinity':
      return [exactly(value.sign * Number.POSITIVE_INFINITY)];
    case 'text':
      return [{ kind: 'text', text: value.unit === undefined ? value.text : `${value.text} ${value.unit}` }];
    case 'variable':
      return value.name.includes('$') ? [ANY] : fromVariable(value.name, value.unit, variables);
    case 'template':
      return fromTemplate(value.text, value.unit, variables);
  }
}

function fromVariable(name: string, asked: string | undefined, variables: Environment): Alternatives {
  return variables.get(name).flatMap((one): Alternatives => {
    if (one.kind === 'unset') return [];
    if (one.kind === 'any' || asked?.includes('$')) return [ANY];
    const number = asNumber(one);
    return number ? inAskedUnit(number, asked) : [one];
  });
}

/** A variable with a unit written after it: a number without unit takes it, another unit is converted. */
function inAskedUnit(number: NumberRange, asked: string | undefined): Alternatives {
  if (asked === undefined) return [number];
  if (number.knowledge === 'none')
    return [rangeOf(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, asked)];
  if (number.unit === undefined) return [{ ...number, unit: asked }];
  const converted = convertRange(number, asked);
  return converted ? [{ ...converted, knowledge: 'exact' }] : [];
}

function fromTemplate(text: string, unit: string | undefined, variables: Environment): Alternatives {
  const match = ONE_REFERENCE.exec(text);
  const name = match?.[1] ?? match?.[2];
  // A lone variable keeps its unit; with a unit in the same text only its number is taken over.
  if (name !== undefined && match?.[3] === '') return fromVariable(name, unit, variables);
  const full = unit === undefined ? text : `${text} ${unit}`;
  const texts = textsOf(full, variables);
  if (texts) return texts.map(quantityOrText);
  if (name === undefined || unit !== undefined) return [ANY];
  return variables.get(name).flatMap((one): Alternatives => withSuffix(one, match?.[3] ?? ''));
}

function withSuffix(one: AbstractValue, suffix: string): Alternatives {
  if (one.kind === 'unset') return [];
  const quantity = parseQuantity(`1 ${suffix}`);
  if (one.kind !== 'number' || quantity?.value !== 1) return [ANY];
  if (one.knowledge === 'comparable')
    return [rangeOf(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, quantity.unit)];
  return [rangeOf(one.low, one.high, quantity.unit)];
}

function quantityOrText(text: string): AbstractValue {
  const quantity = parseQuantity(text);
  return quantity ? exactly(quantity.value, quantity.unit) : { kind: 'text', text };
}

/**
 * All texts that a template may become; undefined when they cannot be told. A variable that is not set gives none, for
 * that is an error.
 */
export function textsOf(template: string, variables: Environment): string[] | undefined {
  if (!template.includes('$')) return [template];
  let filled: ReadonlyMap<string, string>[] = [new Map()];
  for (const name of new Set(referencedNames(template))) {
    const values = variables.get(name).filter(({ kind }) => kind !== 'unset');
    const texts = values.map(textOfValue);
    if (texts.some((one) => one === undefined) || filled.length * texts.length > MAX_TEXTS) return undefined;
    filled = filled.flatMap((one) => texts.map((text) => new Map(one).set(name, text ?? '')));
  }
  return [...new Set(filled.map((values) => interpolate(template, (name) => values.get(name)).text))];
}
