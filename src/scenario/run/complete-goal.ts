import { replacedUnread } from '../program/compile/replaced-bounds.ts';
import { RunFault, toFault } from '../rig/fault.ts';
import type { Flow } from './command.ts';
import { endSampling, judgeStatistics } from './end-sampling.ts';
import type { GoalContext } from './goal-context.ts';

/** The end of a goal: windows are closed, and bounds that never met a reading are an error. @throws RunFault */
export async function completeGoal(goal: GoalContext, flow: Flow): Promise<void> {
  await endWindows(goal);
  // ERROR alone has decided already; what stood after it does not count.
  if (flow?.to === 'end') return;
  for (const { instruction, subject } of goal.bounds.unjudged())
    throw new RunFault('SCN410', replacedUnread(instruction.form, subject.name));
  for (const { instruction, subject } of goal.bounds.unmet())
    throw new RunFault(
      'SCN410',
      `${instruction.form} ${subject.name} was never evaluated, because this goal did not read its sensor; add GET ${subject.name}`,
    );
}

/**
 * Ends the windows that are still open and judges their statistics. @throws RunFault SCN402 of the first that is no
 * good
 */
export async function endWindows(goal: GoalContext): Promise<void> {
  let missing: RunFault | undefined;
  for (const sampler of goal.samplers.values()) {
    if (!sampler.running) continue;
    try {
      await endSampling(sampler, goal);
      judgeStatistics(sampler, goal);
    } catch (thrown) {
      missing ??= toFault(thrown);
    }
  }
  if (missing) throw missing;
}
