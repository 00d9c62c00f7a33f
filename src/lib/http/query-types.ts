import * as z from 'zod';

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** A finite decimal number in a query or path; nothing else is taken for one (no hex, no blanks, no `Infinity`). */
export function numberText(limits: { min?: number; max?: number; integer?: boolean } = {}) {
  let number = z.number();
  if (limits.integer) number = number.int();
  if (limits.min !== undefined) number = number.min(limits.min);
  if (limits.max !== undefined) number = number.max(limits.max);
  return z
    .string()
    .regex(DECIMAL, 'must be a number')
    .transform((value) => Number(value))
    .pipe(number);
}

/** Exactly `true` or `false`. */
export function booleanText() {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .pipe(z.boolean());
}
