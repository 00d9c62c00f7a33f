import type { Condition } from '../../program/operand.ts';
import type { Pos } from '../../source/position.ts';
import type { GoalContext } from '../goal-context.ts';
import { describe, type Evaluation } from './describe.ts';
import { type Leaf, leavesOf, type Probe, type ResolvedLeaf, resolveLeaf } from './leaf.ts';
import { inReadingOrder, readProbe } from './read-probe.ts';
import { leafHolds, truthOf } from './truth.ts';

export interface EvaluateOptions {
  readonly signal: AbortSignal;
  readonly pos: Pos;
  /** The condition as written, for the text of one that has no range. */
  readonly text: string;
}

/**
 * Reads what a condition is about, each thing once and fresh, and evaluates it.
 * @throws RunFault of the readings; SCN411 unresolved, SCN240 incomparable
 */
export async function evaluate(
  condition: Condition,
  goal: GoalContext,
  options: EvaluateOptions,
): Promise<Evaluation> {
  const probes = new Map<string, Probe>();
  const leaves = new Map<Leaf, ResolvedLeaf>();
  for (const leaf of leavesOf(condition)) leaves.set(leaf, resolveLeaf(leaf, probes, goal));
  for (const probe of inReadingOrder(probes, leaves)) await readProbe(probe, goal, options);
  const holds = truthOf(condition, (leaf) => leafHolds(leaves.get(leaf)!));
  return describe(holds, condition, leaves, probes, options.text);
}
