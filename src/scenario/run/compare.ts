import { nearlyEqual } from '../../rig/units/units.ts';
import type { ComparisonOperator } from '../program/operand.ts';

/** Compares numbers of one unit; bounds are inclusive, equality has the relative tolerance of section 6.1. */
export function compare(a: number, operator: ComparisonOperator, b: number): boolean {
  const equal = nearlyEqual(a, b);
  switch (operator) {
    case '<':
      return a < b && !equal;
    case '<=':
      return a < b || equal;
    case '>':
      return a > b && !equal;
    case '>=':
      return a > b || equal;
    case '=':
      return equal;
    case '!=':
      return !equal;
  }
}

const INVERSE: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '=': '!=',
  '!=': '=',
};

/** True where the given one is false. */
export const inverse = (operator: ComparisonOperator): ComparisonOperator => INVERSE[operator];

const MIRROR: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '=': '=',
  '!=': '!=',
};

/** The operator when both sides are swapped. */
export const mirrored = (operator: ComparisonOperator): ComparisonOperator => MIRROR[operator];
