import type { Program } from '../program/program.ts';
import { Analysis } from './analysis.ts';
import { checkLeftActive } from './left-active.ts';
import { madeSafe } from './made-safe.ts';
import { checkRunTime } from './run-time.ts';
import type { SafetyOptions, SafetyReport } from './safety-options.ts';
import { join, mapWorlds, type State } from './state.ts';
import { walkMain, walkTeardown } from './walk-blocks.ts';
import { takingTurn } from './worlds.ts';

export type { SafetyOptions, SafetyReport } from './safety-options.ts';

/**
 * Proves on every path through a scenario, also those on which a command fails or the run is cut off, that its setpoints
 * lie within the limits, its interlocks hold, its time is bounded and nothing is left active; what it cannot prove is a
 * finding (docs/safety-check.md). Pure: nothing is read, sent or waited for.
 *
 * @param plan of a scenario without errors
 */
export function safetyCheck(plan: Program, options: SafetyOptions): SafetyReport {
  const analysis = new Analysis(plan.file, options);
  const main = plan.blocks.filter(({ teardown }) => !teardown);
  const teardown = plan.blocks.filter((block) => block.teardown);
  const start = analysis.initial();
  const mainTimes = walkMain(main, start, analysis);
  const { end, times } = walkTeardown(teardown, teardownStart(analysis.cutOff ?? start, analysis), analysis);
  if (end) checkLeftActive(end, analysis);
  const worstCaseS = checkRunTime([...mainTimes, ...times], analysis);
  return { findings: analysis.findings.sorted(plan.file), worstCaseS };
}

/** Where the run was cut off; when that was because the lease was lost, the bridge has made the rig safe meanwhile. */
function teardownStart(cutOff: State, analysis: Analysis): State {
  const lost = mapWorlds(madeSafe(cutOff, analysis), takingTurn('the lease is lost'));
  return join(cutOff, lost) ?? cutOff;
}
