import type { Outcome } from '../events/event.ts';
import { judgementOf, whyInconclusive } from '../program/judgement.ts';
import type { ProgramBlock } from '../program/program.ts';
import { walk } from '../program/walk.ts';
import { RunFault, toFault } from '../rig/fault.ts';
import type { Flow } from './command.ts';
import { GoalContext, type VerdictText } from './goal-context.ts';
import { runBody } from './run-body.ts';
import type { RunContext } from './run-context.ts';
import { TimeLimit } from './time-limit.ts';
import type { VerdictSummary } from './verdict-summary.ts';

/** How one attempt at a block ended, and how the run goes on. */
export interface BlockEnd {
  readonly outcome: Outcome;
  readonly flow: Flow;
  readonly fault: RunFault | undefined;
  /** FAIL texts that jump or rerun, in order, when the block failed. */
  readonly retry: number;
  readonly goTo: string | undefined;
}

/** Runs a block once; its end reports the verdict over all its entries. Never rejects: what went wrong is its fault. */
export async function runBlock(
  run: RunContext,
  block: ProgramBlock,
  verdicts: VerdictSummary,
  signal: AbortSignal,
): Promise<BlockEnd> {
  const { kind, name, teardown, marks } = block;
  const attempt = verdicts.nextAttempt(block);
  const ms = run.settings.timeouts.goalMs;
  const limit = new TimeLimit(
    [signal],
    run.clock,
    ms,
    () => new RunFault('SCN407', `"${name}" took more than the goal time-out of ${ms} ms`),
  );
  const goal = new GoalContext(run, block, attempt, limit.signal, (fault) => limit.abort(fault));
  run.place = goal.place(block.pos);
  const entry = verdicts.entriesOf(block);
  run.emit({ type: 'block.start', kind, name, teardown, attempt, ...(entry > 1 ? { entry } : {}) });
  let flow: Flow;
  let fault: RunFault | undefined;
  try {
    ({ flow } = await runBody(block.instructions, goal));
    await run.executor.complete(goal, flow);
    limit.signal.throwIfAborted();
  } catch (thrown) {
    fault = toFault(thrown);
    goal.add(fault.aborted ? 'aborted' : 'error', fault.message);
    run.report(fault, run.place);
  }
  for (const sampler of goal.samplers.values()) sampler.cancel();
  limit.end();
  run.place = goal.place(block.pos);
  requireVerdict(goal);
  const { retry, goTo, message: ownMessage } = verdict(goal, flow, fault);
  const durationMs = Math.round((run.clock.monotonic() - goal.startedAt) * 1000) / 1000;
  const own = {
    outcome: goal.outcome,
    checks: goal.checks,
    failedChecks: goal.failedChecks,
    message: ownMessage,
  };
  const { outcome, checks, failedChecks, message } = verdicts.end(block, own, durationMs);
  run.emit({
    type: 'block.end',
    kind,
    name,
    teardown,
    attempt,
    outcome,
    checks,
    failedChecks,
    durationMs,
    message: message ?? null,
    ...marks,
  });
  return { outcome: goal.outcome, flow, fault, retry, goTo };
}

/** A goal of which no check ran has no verdict (LANG-076). */
function requireVerdict(goal: GoalContext): void {
  const { block } = goal;
  if (block.kind !== 'GOAL' || block.marks.procedure || goal.outcome !== 'passed' || goal.checks > 0) return;
  if (goal.declined !== undefined) {
    goal.add('inconclusive', `"${goal.declined}" was not confirmed, and no check ran`);
    return;
  }
  if (goal.errorConditions > 0 && judgementOf(block.instructions) === 'errors') return;
  goal.add('inconclusive', whyInconclusive(block.instructions, block.pos.file));
}

/** PASS and FAIL: texts for the verdict; FAIL also says how to go on. */
function verdict(
  goal: GoalContext,
  flow: Flow,
  fault: RunFault | undefined,
): { retry: number; goTo: string | undefined; message: string | undefined } {
  const { run, block } = goal;
  const texts = new Set<VerdictText>(goal.verdictTexts);
  // A goal that ended early has not reached its texts, but they are about its verdict all the same.
  if (flow?.to === 'end' && !fault)
    for (const one of block.instructions) if (one.op === 'verdict-text') texts.add(one);
  const failed = goal.outcome === 'failed';
  const said: string[] = [];
  let retry = 0;
  let goTo: string | undefined;
  for (const one of texts) {
    const outcome = one.subject === undefined ? goal.outcome : verdictOf(run.text(one.subject), goal);
    if (outcome !== (one.when === 'pass' ? 'passed' : 'failed')) continue;
    const message = run.text(one.message);
    if (message !== '') {
      run.emit({ type: 'log', level: one.when, message }, goal.place(one.pos));
      if (one.when === 'fail' ? failed : goal.outcome === 'passed') said.push(message);
    }
    if (one.when !== 'fail' || !failed) continue;
    retry = Math.max(retry, one.retry ?? 0);
    goTo ??= one.goTo === undefined ? undefined : run.text(one.goTo);
  }
  const passed = goal.outcome === 'passed';
  const unchecked = goal.checks === 0 && block.kind === 'GOAL' && passed;
  if (passed && block.marks.procedure) noteUnchecked(goal);
  const own = !unchecked
    ? goal.message
    : block.marks.procedure
      ? 'no checks'
      : 'no checks; no condition with an ERROR was true';
  const texted = said.join('; ');
  const message = [texted, own].filter((part) => part !== undefined && part !== '').join(': ');
  return { retry, goTo, message: message === '' ? undefined : message };
}

function verdictOf(name: string, goal: GoalContext): Outcome | undefined {
  const sensor = goal.run.registry.sensor(name)?.id;
  return goal.verdicts.get(name) ?? (sensor === undefined ? undefined : goal.verdicts.get(sensor));
}

/** SCN244, unless reading the scenario has reported it. */
function noteUnchecked({ run, block }: GoalContext): void {
  const { file, line, endLine } = block.pos;
  const reported = run.diagnostics.some(
    ({ code, pos }) => code === 'SCN244' && pos.file === file && pos.line >= line && pos.line <= endLine,
  );
  const empty = [...walk(block.instructions)].length === 0;
  if (!reported && !empty)
    run.diagnose('SCN244', `the goal "${block.name}" checked nothing and always passes`, {
      goal: block.index,
      pos: block.pos,
    });
}
