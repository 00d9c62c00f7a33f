import { isPureNumber } from '../../rig/units/amount.ts';
import type { Value } from '../program/operand.ts';
import { RunFault } from '../rig/fault.ts';
import { referencedNames } from '../values/interpolate.ts';
import { numberFault, shorten } from '../values/number-fault.ts';
import { parseQuantity } from '../values/quantity.ts';
import { referenceAmount } from '../values/reference-amount.ts';
import { amountIn, type RunAmount, unitsFault } from './convert-amount.ts';
import type { RunContext } from './run-context.ts';
import { type StoredVariable, textOf } from './variables.ts';

/** A number that something is compared with; infinite where a bound is open. */
export interface Limit extends RunAmount {
  /** It comes from a simulated reading. */
  readonly simulated?: boolean;
}

/** A value of the scenario at the moment it is used. */
export type Resolved =
  | ({ readonly kind: 'number' } & Limit)
  | { readonly kind: 'text'; readonly text: string; readonly simulated?: boolean };

const ONE_REFERENCE = /^\s*\$(?:\{([^{}\s]+)\}|([\p{L}_][\p{L}\p{N}_.]*))\s*$/u;

/**
 * Resolves a value.
 * @throws RunFault SCN411 for a variable that is not set, SCN240 for one in another unit than the one written after it
 */
export function resolve(value: Value, run: RunContext): Resolved {
  switch (value.kind) {
    case 'quantity':
      return { kind: 'number', value: value.value, ...unitOf(value.unit) };
    case 'infinity':
      return { kind: 'number', value: value.sign * Number.POSITIVE_INFINITY };
    case 'text':
      return { kind: 'text', text: value.unit === undefined ? value.text : `${value.text} ${value.unit}` };
    case 'variable':
      return fromVariable(
        value.name.includes('$') ? run.strictText(value.name) : value.name,
        value.unit,
        run,
      );
    case 'template':
      return fromTemplate(value.text, value.unit, run);
  }
}

const unitOf = (unit: string | undefined): { unit?: string } => (unit === undefined ? {} : { unit });

function fromTemplate(template: string, unit: string | undefined, run: RunContext): Resolved {
  const match = ONE_REFERENCE.exec(template);
  const name = match?.[1] ?? match?.[2];
  // A lone variable keeps its unit, so that 300 l/h never become 300 l/min.
  if (name !== undefined && run.variables.has(name)) return fromVariable(name, unit, run);
  const written = unit === undefined ? template : `${template} ${unit}`;
  const amount = fromReference(written, run);
  if (amount) return amount;
  const text = run.strictText(written);
  const quantity = parseQuantity(text);
  if (!quantity) return { kind: 'text', text };
  for (const one of referencedNames(written)) {
    const own = run.variables.get(one)?.unit;
    if (own !== undefined)
      throw new RunFault(
        'SCN240',
        `"${written}" uses the number of ${one} without its unit ${own}; write $${one} alone, or followed by a unit`,
      );
  }
  return { kind: 'number', ...quantity };
}

/** `$p mbar`, `-$p`: the amount of the variable, converted to the unit; undefined when it is not a number. */
function fromReference(text: string, run: RunContext): Resolved | undefined {
  const reference = referenceAmount(text);
  const variable = reference && run.variables.get(reference.name);
  if (!reference || !variable || !numberOf(variable)) return undefined;
  const amount = fromVariable(reference.name, reference.unit, run);
  return amount.kind === 'number' && reference.isNegative ? negative(amount) : amount;
}

const negative = <T extends Limit>(amount: T): T => {
  const { value, recompute } = amount;
  return {
    ...amount,
    value: value === 0 ? 0 : -value,
    ...(recompute ? { recompute: (unit: string) => -recompute(unit) } : {}),
  };
};

function fromVariable(name: string, asked: string | undefined, run: RunContext): Resolved {
  const variable = run.variables.get(name);
  if (!variable)
    throw new RunFault('SCN411', `${run.variables.whyUnset(name)}; set it first with SET, VAR, SAVE or CALC`);
  const number = numberOf(variable);
  const simulated = variable.simulated ? { simulated: true } : {};
  const unit = asked?.includes('$') ? run.strictText(asked) : asked;
  if (!number) return { kind: 'text', text: textOf(variable.value), ...simulated };
  if (unit === undefined || (number.unit === undefined && !isPureNumber(number)))
    return { kind: 'number', ...number, ...unitOf(unit ?? number.unit), ...simulated };
  const value = amountIn(number, unit);
  if (value === undefined) throw unitsFault(`the variable ${name}`, number.unit ?? 'no unit', unit);
  return { kind: 'number', ...number, value, unit, ...simulated };
}

/** The number in a variable, also one that came as text; undefined for other texts. */
export function numberOf({ value, unit, measure, recompute }: StoredVariable): Limit | undefined {
  if (typeof value === 'number') return { value, ...unitOf(unit), measure, recompute };
  if (typeof value !== 'string') return undefined;
  const quantity = parseQuantity(value);
  if (!quantity) return undefined;
  return { value: quantity.value, ...unitOf(quantity.unit ?? unit) };
}

/** A number. @throws RunFault SCN411 when it is a text */
export function limitOf(value: Value, run: RunContext): Limit {
  const resolved = resolve(value, run);
  if (resolved.kind === 'number') return resolved;
  throw new RunFault(
    'SCN411',
    numberFault(resolved.text) ?? `"${shorten(resolved.text)}" is not a number to compare with`,
  );
}
