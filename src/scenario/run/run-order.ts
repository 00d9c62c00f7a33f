import type { Outcome } from '../events/event.ts';
import type { ProgramBlock } from '../program/program.ts';
import { isNamed } from '../program/select-goals.ts';
import { RunFault } from '../rig/fault.ts';
import { type BlockEnd, runBlock } from './run-block.ts';
import type { RunContext } from './run-context.ts';
import type { VerdictSummary } from './verdict-summary.ts';

/** The eleventh entry of a goal is an error. */
const MAX_ENTRIES = 10;

/** Runs the blocks before the teardown in document order, with jumps, retries and stop rules (section 5). */
export async function runMain(run: RunContext, verdicts: VerdictSummary, signal: AbortSignal): Promise<void> {
  const blocks = run.program.blocks.filter(({ teardown }) => !teardown);
  let next = 0;
  while (next < blocks.length && !signal.aborted) {
    const block = blocks[next]!;
    if (block.leftOut) {
      leaveOut(block, run, verdicts);
      next++;
      continue;
    }
    if (verdicts.enter(block) > MAX_ENTRIES) {
      const message = `"${block.name}" was entered more than ${MAX_ENTRIES} times; remove the GOTO loop`;
      verdicts.note(block, 'error', message);
      run.diagnose('SCN411', message, { goal: block.index, pos: block.pos });
      if (endsRun(block, new RunFault('SCN411', message), run, verdicts)) break;
      next++;
      continue;
    }
    const end = await attempts(run, verdicts, block, signal);
    if (endsRun(block, end.fault, run, verdicts)) break;
    const wanted = end.flow?.to === 'goal' ? end.flow.goal : end.goTo;
    next = wanted === undefined ? next + 1 : jump(wanted, blocks, block, run, verdicts);
  }
  // The run came to its end by itself: what was asked for and not entered was jumped over.
  if (next >= blocks.length && !signal.aborted && run.program.isSelection)
    reportJumpedOver(blocks, run, verdicts);
  skipRest(blocks, run, verdicts);
}

/** Goals that --goal names and a GOTO led past: the verdict that was asked for is missing (LANG-081). */
function reportJumpedOver(blocks: readonly ProgramBlock[], run: RunContext, verdicts: VerdictSummary): void {
  for (const block of blocks)
    if (block.kind === 'GOAL' && !block.leftOut && verdicts.outcomeOf(block) === undefined)
      notRun(block, 'inconclusive', JUMPED_OVER, run, verdicts);
}

const JUMPED_OVER = 'selected by --goal but never entered: a GOTO skipped it';

/** CONFIG blocks after the last goal: each one runs, whatever the ones before gave. */
export async function runTeardown(
  run: RunContext,
  verdicts: VerdictSummary,
  signal: AbortSignal,
): Promise<void> {
  const blocks = run.program.blocks.filter(({ teardown }) => teardown);
  for (const block of blocks) {
    if (signal.aborted) break;
    verdicts.enter(block);
    const end = await runBlock(run, block, verdicts, signal);
    if (end.flow?.to === 'goal') {
      const message = `GOTO "${end.flow.goal}" leads out of the teardown and is not followed`;
      verdicts.note(block, 'error', message);
      run.diagnose('SCN411', message, { goal: block.index, pos: block.pos });
    }
    if (end.fault?.leaseLost) break;
  }
  skipRest(blocks, run, verdicts);
}

/**
 * Runs a block, and again while it fails and a FAIL RETRY allows it; the last verdict counts. An inconclusive retry has
 * none, so the goal goes on as the attempt before it said.
 */
async function attempts(
  run: RunContext,
  verdicts: VerdictSummary,
  block: ProgramBlock,
  signal: AbortSignal,
): Promise<BlockEnd> {
  let goTo: string | undefined;
  for (let retries = 0; ; retries++) {
    const end = await runBlock(run, block, verdicts, signal);
    if (end.outcome === 'inconclusive' && goTo !== undefined) return { ...end, goTo };
    goTo = end.goTo;
    if (end.outcome !== 'failed' || retries >= end.retry || end.flow?.to === 'goal' || signal.aborted)
      return end;
  }
}

/** `error` in an actuator, lease or safety matter, or in a setup CONFIG, ends the run; so does --stop-on-fail. */
function endsRun(
  block: ProgramBlock,
  fault: RunFault | undefined,
  run: RunContext,
  verdicts: VerdictSummary,
): boolean {
  if (fault && (fault.scope === 'run' || block.kind === 'CONFIG')) return true;
  const outcome: Outcome | undefined = verdicts.outcomeOf(block);
  return run.settings.stopOnFail && (outcome === 'failed' || outcome === 'error');
}

function jump(
  wanted: string,
  blocks: readonly ProgramBlock[],
  from: ProgramBlock,
  run: RunContext,
  verdicts: VerdictSummary,
): number {
  const index = blocks.findIndex((block) => block.kind === 'GOAL' && isNamed(block, wanted));
  if (index >= 0) return index;
  const message = `GOTO "${wanted}": no such goal`;
  verdicts.note(from, 'error', message);
  run.diagnose('SCN248', message, { goal: from.index, pos: from.pos });
  return blocks.indexOf(from) + 1;
}

/** Blocks that never ran are skipped, and told. What ran keeps its verdict. */
export function skipRest(blocks: readonly ProgramBlock[], run: RunContext, verdicts: VerdictSummary): void {
  for (const block of blocks) {
    if (verdicts.outcomeOf(block) === undefined)
      skip(block, block.leftOut ? LEFT_OUT : undefined, run, verdicts);
  }
}

const LEFT_OUT = 'left out by --goal';

/** A goal that was not selected for this run; a jump may lead to it more than once. */
function leaveOut(block: ProgramBlock, run: RunContext, verdicts: VerdictSummary): void {
  if (verdicts.outcomeOf(block) === undefined) skip(block, LEFT_OUT, run, verdicts);
}

const skip = (
  block: ProgramBlock,
  message: string | undefined,
  run: RunContext,
  verdicts: VerdictSummary,
): void => notRun(block, 'skipped', message, run, verdicts);

function notRun(
  block: ProgramBlock,
  outcome: 'skipped' | 'inconclusive',
  message: string | undefined,
  run: RunContext,
  verdicts: VerdictSummary,
): void {
  verdicts.note(block, outcome, message);
  const { index, kind, name, teardown, marks, pos } = block;
  const counts = { attempt: 0, checks: 0, failedChecks: 0, durationMs: 0 };
  run.emit(
    {
      type: 'block.end',
      kind,
      name,
      teardown,
      outcome,
      message: message ?? null,
      ...counts,
      ...marks,
    },
    { goal: index, pos },
  );
}
