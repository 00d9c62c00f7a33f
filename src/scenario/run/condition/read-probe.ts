import { convertDifference } from '../../../rig/units/units.ts';
import { chooseValue } from '../../rig/dry/choose-value.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Wish } from '../../rig/rig.ts';
import type { Pos } from '../../source/position.ts';
import type { GoalContext } from '../goal-context.ts';
import { wishesOfBounds } from '../judge-bounds.ts';
import { numberOf } from '../limit.ts';
import type { Measured } from '../measured.ts';
import { read } from '../readings.ts';
import type { Target } from '../target.ts';
import { textOf } from '../variables.ts';
import type { Leaf, Probe, ResolvedLeaf } from './leaf.ts';

/** What is compared with another reading comes after that one, so that a dry-run can choose it. */
export function inReadingOrder(
  probes: ReadonlyMap<string, Probe>,
  leaves: ReadonlyMap<Leaf, ResolvedLeaf>,
): Probe[] {
  const later = new Set<Probe>();
  for (const { left, right } of leaves.values())
    if ('probe' in left && right.some((side) => 'probe' in side)) later.add(left.probe);
  const all = [...probes.values()];
  return [...all.filter((probe) => !later.has(probe)), ...all.filter((probe) => later.has(probe))];
}

export async function readProbe(
  probe: Probe,
  wishes: readonly Wish[],
  goal: GoalContext,
  { signal, pos }: { readonly signal: AbortSignal; readonly pos: Pos },
): Promise<void> {
  const { target, unit } = probe;
  if (probe.change) {
    probe.measured = changeOf(target, unit, wishes, goal);
    return;
  }
  if (target.kind === 'variable') {
    const variable = goal.run.variables.get(target.name);
    if (variable && !numberOf(variable)) {
      probe.text = textOf(variable.value);
      return;
    }
  }
  const all = goal.run.dry ? [wishes, ...wishesOfBounds(target.key, goal)] : [];
  probe.measured = await read(target, { unit, wishes: all, signal, pos }, goal);
}

/** Δp: the change over the samples of the goal so far. @throws RunFault SCN402 with fewer than two points */
function changeOf(
  target: Target,
  asked: string | undefined,
  wishes: readonly Wish[],
  goal: GoalContext,
): Measured {
  const sampler = goal.samplers.get(target.key);
  const change = sampler?.change(Number.POSITIVE_INFINITY);
  if (!change)
    throw new RunFault(
      'SCN402',
      `Δ${target.name} needs at least two sample points in this goal; write SAMPLE ${target.name} START before`,
    );
  const unit = asked ?? change.unit;
  const chosen = change.free && goal.run.dry;
  const value = chosen
    ? chooseValue([wishes], unit).value
    : unit === null || change.unit === null
      ? change.value
      : convertDifference(change.value, change.unit, unit);
  if (value === undefined)
    throw new RunFault('SCN240', `${target.name} was sampled in ${change.unit}, which is no ${unit}`);
  return {
    ...change.last,
    sensor: `Δ${target.name}`,
    value,
    unit,
    raw: null,
    rawUnit: null,
    key: `Δ${target.key}`,
  };
}
