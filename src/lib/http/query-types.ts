import * as z from 'zod';

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

interface NumberLimits {
  min?: number;
  max?: number;
  integer?: boolean;
}

/** A finite decimal number in a query or path; nothing else is taken for one (no hex, no blanks, no `Infinity`). */
export function numberText(limits: NumberLimits = {}) {
  const message = demand(limits);
  let number = z.number(message);
  if (limits.integer) number = number.int(message);
  if (limits.min !== undefined) number = number.min(limits.min, message);
  if (limits.max !== undefined) number = number.max(limits.max, message);
  return z
    .string()
    .regex(DECIMAL, { message, abort: true })
    .transform((value) => Number(value))
    .pipe(number);
}

/** The same sentence for whatever is wrong: it says what would be right. */
function demand({ min, max, integer = false }: NumberLimits): string {
  const kind = integer ? 'must be a whole number' : 'must be a number';
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind}, ${min} or more`;
  return max === undefined ? kind : `${kind}, ${max} or less`;
}

/** Exactly `true` or `false`. */
export function booleanText() {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .pipe(z.boolean());
}
