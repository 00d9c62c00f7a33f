import { convert, findUnit, UNIT_NAMES } from '../../rig/units/units.ts';
import type { Value } from '../program/operand.ts';
import { interpolate, referencedNames } from '../values/interpolate.ts';
import { parseQuantity } from '../values/quantity.ts';
import { referenceAmount } from '../values/reference-amount.ts';
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

const ONE_REFERENCE = /^\s*\$(?:\{([^{}\s]+)\}|([\p{L}_][\p{L}\p{N}_.]*))\s*$/u;

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
  if (number.knowledge === 'none' && hasOneScale(asked))
    return [{ ...number, unit: asked, knowledge: 'exact' }];
  if (number.knowledge === 'none')
    return [rangeOf(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, asked)];
  if (number.unit === undefined) return [{ ...number, unit: asked }];
  const converted = convertRange(number, asked);
  if (converted) return [{ ...converted, knowledge: 'exact' }];
  // The calibration of a sensor may lead to another dimension.
  return number.knowledge === 'exact'
    ? []
    : [rangeOf(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, asked)];
}

/** True for a unit, such as %, whose dimension has no other scale: an amount in it has the same number, or is an error. */
const hasOneScale = (unit: string): boolean =>
  findUnit(unit) !== undefined && UNIT_NAMES.every((name) => [1, undefined].includes(convert(1, name, unit)));

function fromTemplate(text: string, unit: string | undefined, variables: Environment): Alternatives {
  const match = ONE_REFERENCE.exec(text);
  const name = match?.[1] ?? match?.[2];
  if (name !== undefined) return fromVariable(name, unit, variables);
  const full = unit === undefined ? text : `${text} ${unit}`;
  const reference = referenceAmount(full);
  if (!reference) return textsOf(full, variables)?.map(quantityOrText) ?? [ANY];
  const { unit: asked } = reference;
  const units = asked === undefined ? [undefined] : textsOf(asked, variables);
  if (!units) return [ANY];
  return variables
    .get(reference.name)
    .flatMap((one) => units.flatMap((suffix): Alternatives => withSuffix(one, suffix, reference.isNegative)));
}

/** `$p mbar`, `-$p`: an amount is converted as that of a lone variable; another text gets the words around it. */
function withSuffix(one: AbstractValue, suffix: string | undefined, isNegative: boolean): Alternatives {
  if (one.kind === 'unset') return [];
  if (one.kind === 'any') return [ANY];
  const number = asNumber(one);
  if (number)
    return inAskedUnit(isNegative ? { ...number, low: -number.high, high: -number.low } : number, suffix);
  const text = one.kind === 'text' ? one.text : '';
  return [quantityOrText(`${isNegative ? '-' : ''}${text}${suffix === undefined ? '' : ` ${suffix}`}`)];
}

function quantityOrText(text: string): AbstractValue {
  const quantity = parseQuantity(text);
  return quantity ? exactly(quantity.value, quantity.unit) : { kind: 'text', text };
}

/**
 * All texts that a template may become; undefined when they cannot be determined. A variable that is not set gives none, for
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
