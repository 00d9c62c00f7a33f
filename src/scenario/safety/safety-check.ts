import type { Program } from '../program/program.ts';
import { Analysis } from './analysis.ts';
import { checkLeftActive } from './left-active.ts';
import { checkRunTime } from './run-time.ts';
import type { SafetyOptions, SafetyReport } from './safety-options.ts';
import { walkMain, walkTeardown } from './walk-blocks.ts';

export type { SafetyOptions, SafetyReport } from './safety-options.ts';

/**
 * Proves on every path through a scenario, also those on which a command fails or the run is cut off, that its setpoints
 * lie within the limits, its interlocks hold, its time is bounded and nothing is left active; what it cannot prove is a
 * finding (docs/safety-check.md). Pure: nothing is read, sent or waited for.
 *
 * @param plan of a scenario without errors
 */
export function safetyCheck(plan: Program, options: SafetyOptions): SafetyReport {
  const analysis = new Analysis(plan, options);
  const main = plan.blocks.filter(({ teardown }) => !teardown);
  const teardown = plan.blocks.filter((block) => block.teardown);
  const start = analysis.initial();
  const mainTimes = walkMain(main, start, analysis);
  const { end, times } = walkTeardown(teardown, analysis.cutOff ?? start, analysis);
  if (end) checkLeftActive(end, analysis);
  const worstCaseS = checkRunTime([...mainTimes, ...times], analysis);
  return { findings: analysis.findings.sorted(plan.file), worstCaseS };
}
