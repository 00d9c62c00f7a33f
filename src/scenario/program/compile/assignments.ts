import { referencedNames } from '../../values/interpolate.ts';
import type { Value } from '../operand.ts';

/** True for a value that is written in the scenario. */
export const isLiteral = (value: Value): boolean =>
  value.kind === 'quantity' ||
  value.kind === 'infinity' ||
  (value.kind === 'text' && referencedNames(value.text).length === 0);
