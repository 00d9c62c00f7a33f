import type { ComparisonOperator } from '../program/operand.ts';
import { OPERATORS } from '../syntax/words.ts';

/** The operator of a comparison in canonical form; undefined for all other texts. */
export function operatorOf(text: string | undefined): ComparisonOperator | undefined {
  const operator = text === undefined ? undefined : OPERATORS.get(text);
  return operator === '∈' ? undefined : operator;
}
