import type { ComparisonOperator, Condition } from '../../program/operand.ts';
import type { Wish } from '../../rig/rig.ts';
import { inverse, mirrored } from '../compare.ts';
import { type Leaf, operationsOf, type Probe, type ResolvedLeaf, type Side } from './leaf.ts';

/** Leaves that have to be true, or false, for the condition to come out as wanted. */
export function wantedLeaves(condition: Condition, want: boolean): [Leaf, boolean][] {
  if (condition.kind !== 'all' && condition.kind !== 'any') return [[condition, want]];
  const every = (condition.kind === 'all') === want;
  const parts = every ? condition.parts : condition.parts.slice(0, 1);
  return parts.flatMap((part) => wantedLeaves(part, want));
}

/** What a leaf asks of a probe so that it comes out as wanted. */
export function wishesOf(resolved: ResolvedLeaf, probe: Probe, truth: boolean): Wish[] {
  const operations = operationsOf(resolved);
  const onLeft = 'probe' in resolved.left && resolved.left.probe === probe;
  const wishes = operations.flatMap(({ operator, side }): Wish[] => {
    const wanted = truth ? operator : inverse(operator);
    if (onLeft) return wish(wanted, side);
    return 'probe' in side && side.probe === probe ? wish(mirrored(wanted), resolved.left) : [];
  });
  // A range is false as soon as one of its sides is.
  return truth || wishes.length < 2 ? wishes : wishes.slice(-1);
}

function wish(operator: ComparisonOperator, side: Side): Wish[] {
  if ('probe' in side) {
    const { measured } = side.probe;
    if (!measured) return [];
    return [{ operator, value: measured.value, ...(measured.unit === null ? {} : { unit: measured.unit }) }];
  }
  const { constant } = side;
  if (constant.kind === 'text' || !Number.isFinite(constant.value)) return [];
  return [
    { operator, value: constant.value, ...(constant.unit === undefined ? {} : { unit: constant.unit }) },
  ];
}
