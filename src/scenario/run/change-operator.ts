import type { Operations } from '../program/instruction.ts';

/**
 * How IF_DELTA compares a change with its threshold: `+x` Δ > x, `-x` Δ < −x, `0` Δ = 0. With a sign a change of 0 is
 * neither a rise nor a fall.
 */
export function changeOperator(
  direction: Operations['delta']['direction'],
  threshold: number,
): '>' | '<' | '=' {
  if (threshold > 0 || direction === 'rise') return '>';
  return threshold < 0 || direction === 'fall' ? '<' : '=';
}
