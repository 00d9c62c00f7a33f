import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import type { Ended, Program } from '../bench/program.ts';
import type { Case } from './cases.ts';
import { comeBack } from './come-back.ts';
import { eventually } from './eventually.ts';
import { judgeTwins, judgeVerdict } from './judge.ts';
import { limitMs } from './limits.ts';
import { type Reference, startRun } from './reference.ts';
import { endingAtMs, eventsIn, untilBoundary } from './run-events.ts';
import type { SafetyRig } from './safety-rig.ts';
import { strike } from './strike.ts';

/** Teardown and safe state of a run are bounded by 65 s. */
const RUN_LIMIT_MS = 80_000;
/** What is safe too late is reported with its time, not as never. */
export const PATIENCE_MS = 2000;

export interface CaseResult {
  case: Case;
  /** Milliseconds until the twins were safe; undefined when they never were. */
  safeAfterMs: number | undefined;
  /** Whether anything was on when the blow fell: else the case proves little. */
  wasOn: boolean;
  /** Exit code or signal of the run. */
  code: number | string;
  /** Until all was up again. */
  upAfterMs: number;
  /** Outputs were on for too long: no busy machine excuses that. */
  isUnsafe: boolean;
  /** Promises that were broken; empty when all is well. */
  broken: string[];
}

/** Runs a scenario up to the boundary, strikes, and looks at the twins. The rig is up and safe before and after. */
export async function performCase(rig: SafetyRig, one: Case, reference: Reference): Promise<CaseResult> {
  const broken: string[] = [];
  const { trace } = rig;
  trace.advance();
  const wasOnBefore = trace.on.length > 0;
  if (wasOnBefore) broken.push(`on before the case: ${trace.on.join(', ')}`);
  const events = join(rig.folder.path, 'events.ndjson');
  // That of the run before would show boundaries of its own.
  rmSync(events, { force: true });
  const run = startRun(rig, one, events, reference);
  const endsItself = one.end === 'pass' || one.end === 'time-out';
  if (!endsItself && !(await untilBoundary(events, one.boundary, run.ended))) {
    const { stdout, stderr, code } = await run.ended;
    broken.push(`the run ended (${code}) before boundary ${one.boundary}: ${stdout}${stderr}`);
  }
  const struckAtMs = systemClock.now();
  const undo = await strike(rig, one, run, events);
  const ended = await endOf(run, broken);
  await undo();
  const endingMs = endingAtMs(eventsIn(events)) ?? systemClock.now();
  await eventually(() => {
    trace.advance();
    return trace.on.length === 0;
  }, limitMs(one) + PATIENCE_MS);
  const before = broken.length;
  const safeAfterMs = judgeTwins(trace, one, { struckAtMs, endingAtMs: endingMs }, broken);
  const isUnsafe = wasOnBefore || broken.length > before;
  judgeVerdict(one, ended, broken);
  if (broken.length > 0) broken.push(rig.lastWords());
  return {
    case: one,
    safeAfterMs,
    wasOn: trace.onAt(endsItself ? endingMs : struckAtMs).length > 0,
    code: ended.code ?? ended.signal ?? 'none',
    upAfterMs: await comeBack(rig, one, broken),
    isUnsafe,
    broken,
  };
}

async function endOf(run: Program, broken: string[]): Promise<Ended> {
  const cancel = systemClock.after(RUN_LIMIT_MS, () => {
    broken.push(`the run had not ended after ${RUN_LIMIT_MS} ms`);
    run.child.kill('SIGKILL');
  });
  try {
    return await run.ended;
  } finally {
    cancel();
  }
}
