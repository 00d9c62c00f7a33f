import { messageOf } from '../../lib/errors/coded-error.ts';
import { RunFault } from '../rig/fault.ts';
import type { GoalContext } from './goal-context.ts';
import { judgeVariable } from './judge-bounds.ts';
import type { RunContext } from './run-context.ts';
import type { Sampler } from './sampler.ts';
import { variableKey } from './target.ts';
import { STATISTICS } from './variables.ts';

/**
 * Judges the statistics of a window that was ended by the bounds of the goal. A bound on one that this window does not
 * have is not met by that of an earlier window.
 * @returns false when one was violated
 */
export function judgeStatistics({ target }: Sampler, goal: GoalContext): boolean {
  let good = true;
  for (const key of STATISTICS) {
    const name = `${target.name}.${key}`;
    if (!goal.run.variables.has(name)) goal.bounds.expectAgain(variableKey(name, goal.run));
    else good = judgeVariable(name, goal) && good;
  }
  return good;
}

/** Ends a window and sets its statistics. @throws RunFault SCN402 when too many points are missing */
export async function endSampling(sampler: Sampler, goal: GoalContext): Promise<void> {
  await sampler.stop();
  goal.signal.throwIfAborted();
  const { run } = goal;
  const { name } = sampler.target;
  const { window } = sampler;
  try {
    window.requireGood();
  } catch (thrown) {
    // No other goal may take the rest of the points for the whole window.
    for (const key of STATISTICS) run.variables.setMissing(`${name}.${key}`, messageOf(thrown));
    throw thrown;
  }
  const stats = window.summary();
  const common = window.simulated ? { simulated: true } : {};
  const unit = sampler.unit === null ? {} : { unit: sampler.unit };
  run.variables.set(`${name}.count`, { value: stats.count, measure: 'ratio', ...common });
  for (const key of STATISTICS) {
    if (key === 'count') continue;
    const value = stats[key];
    if (value === null) {
      run.variables.setMissing(`${name}.${key}`, `${stats.count} valid sample points are too few`);
      continue;
    }
    const measure = key === 'delta' || key === 'stddev' ? 'difference' : 'point';
    // In another dimension the statistic is not that of this one converted, but that of the points there.
    const recompute = (asked: string) => window.summary(asked)[key]!;
    run.variables.set(`${name}.${key}`, { value, ...unit, ...common, measure, recompute });
  }
  requireSpan(sampler, run);
}

/** A window whose first or last points are gaps has no change, whatever else it tells. */
function requireSpan({ window, target }: Sampler, run: RunContext): void {
  try {
    window.wholeChange(undefined);
  } catch (thrown) {
    if (!(thrown instanceof RunFault)) throw thrown;
    run.variables.setMissing(`${target.name}.delta`, thrown.message);
  }
}
