import { RunFault } from '../../rig/fault.ts';
import type { Pos } from '../../source/position.ts';
import type { GoalContext } from '../goal-context.ts';
import { numberOf } from '../limit.ts';
import type { Measured } from '../measured.ts';
import { read } from '../readings.ts';
import type { Target } from '../target.ts';
import { textOf } from '../variables.ts';
import type { Leaf, Probe, ResolvedLeaf } from './leaf.ts';

/** What is judged comes after what it is compared with: its value is the fresher one, and the one that is shown. */
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
  goal: GoalContext,
  { signal, pos }: { readonly signal: AbortSignal; readonly pos: Pos },
): Promise<void> {
  const { target, unit } = probe;
  if (probe.change) {
    probe.measured = await changeOf(target, unit ?? probe.ownUnit, goal);
    return;
  }
  if (target.kind === 'variable') {
    const variable = goal.run.variables.get(target.name);
    if (variable && !numberOf(variable)) {
      probe.text = textOf(variable.value);
      return;
    }
  }
  probe.measured = await read(target, { unit, measure: probe.measure, signal, pos }, goal);
}

/** Δp: the change over the samples of the goal so far. @throws RunFault SCN402 without points that span them */
async function changeOf(target: Target, unit: string | undefined, goal: GoalContext): Promise<Measured> {
  const sampler = goal.samplers.get(target.key);
  if (!sampler)
    throw new RunFault(
      'SCN402',
      `Δ${target.name} needs sample points in this goal; add SAMPLE ${target.name} START before it`,
    );
  await sampler.settle();
  goal.signal.throwIfAborted();
  const change = sampler.window.wholeChange(unit);
  return {
    ...change.last,
    sensor: `Δ${target.name}`,
    value: change.value,
    unit: change.unit,
    raw: null,
    rawUnit: null,
    measure: 'difference',
    recompute: undefined,
    key: `Δ${target.key}`,
  };
}
