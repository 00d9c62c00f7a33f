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
    probe.measured = await changeOf(target, unit ?? probe.ownUnit, wishes, goal);
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
  probe.measured = await read(target, { unit, measure: probe.measure, wishes: all, signal, pos }, goal);
}

/** Δp: the change over the samples of the goal so far. @throws RunFault SCN402 without points that span them */
async function changeOf(
  target: Target,
  unit: string | undefined,
  wishes: readonly Wish[],
  goal: GoalContext,
): Promise<Measured> {
  const sampler = goal.samplers.get(target.key);
  if (!sampler)
    throw new RunFault(
      'SCN402',
      `Δ${target.name} needs sample points in this goal; write SAMPLE ${target.name} START before`,
    );
  await sampler.settle();
  goal.signal.throwIfAborted();
  const change = sampler.window.wholeChange(unit);
  const value = change.free && goal.run.dry ? chooseValue([wishes], change.unit).value : change.value;
  return {
    ...change.last,
    sensor: `Δ${target.name}`,
    value,
    unit: change.unit,
    raw: null,
    rawUnit: null,
    measure: 'difference',
    recompute: undefined,
    key: `Δ${target.key}`,
  };
}
