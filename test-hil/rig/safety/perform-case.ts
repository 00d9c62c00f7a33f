import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { messageOf } from '../../../src/lib/errors/coded-error.ts';
import type { Ended, Program } from '../bench/program.ts';
import type { Case, ScenarioName } from './cases.ts';
import { limitMs } from './limits.ts';
import { boundariesOf, endingAtMs, eventsIn, untilBoundary } from './run-events.ts';
import { failLimits, loseAnswers } from './run-fault.ts';
import type { SafetyRig } from './safety-rig.ts';

/** Teardown and safe state of a run are bounded by 65 s. */
const RUN_LIMIT_MS = 80_000;
/** PM2 waits longer and longer before it starts a service that ends again and again: at most 15 s. */
const UP_LIMIT_MS = 25_000;
const GONE_LIMIT_MS = 20_000;
const POLL_MS = 20;

export interface CaseResult {
  case: Case;
  /** From the blow, or from the moment the run went for its end, until the twins were safe; the worst of both. */
  safeAfterMs: number | undefined;
  /** Whether anything was on when the blow fell: else the case proves little. */
  wasOn: boolean;
  /** Exit code or signal of the run. */
  code: number | string;
  upAfterMs: number;
  /** Promises that were broken; empty when all is well. */
  broken: string[];
}

/** How long each boundary of a scenario takes in a run that passes, milliseconds since its start. */
export type Reference = Readonly<Record<ScenarioName, readonly number[]>>;

/** Runs a scenario up to the boundary, strikes, and looks at the twins. The rig is up and safe before and after. */
export async function performCase(rig: SafetyRig, one: Case, reference: Reference): Promise<CaseResult> {
  const broken: string[] = [];
  rig.trace.advance();
  if (rig.trace.on.length > 0) broken.push(`before the case: ${rig.trace.on.join(', ')}`);
  const events = join(rig.folder.path, 'events.ndjson');
  // That of the run before would show boundaries of its own.
  rmSync(events, { force: true });
  const run = startRun(rig, one, events, reference);
  let undo: () => Promise<void> = async () => {};
  let struckAtMs = Date.now();
  let onAtBlow: readonly string[] = [];
  if (one.end !== 'pass' && one.end !== 'time-out') {
    const isReached = await untilBoundary(events, one.boundary, run.ended);
    if (!isReached) {
      const { stdout, stderr, code } = await run.ended;
      const said = `${stdout.slice(-500)}${stderr.slice(-500)}`;
      broken.push(`the run ended (${code}) before boundary ${one.boundary}: ${said}`);
    }
    rig.trace.advance();
    onAtBlow = rig.trace.on;
    struckAtMs = Date.now();
    undo = await strike(rig, one, run, events);
  }
  const ended = await runEnd(run, broken);
  await undo();
  const endedAtMs = Date.now();
  const came = await eventually(() => rig.trace.advance() && rig.trace.on.length === 0, limitMs(one) + 2000);
  if (!came) broken.push(`never safe: ${rig.trace.on.join(', ')} on${rig.lastWords()}`);
  const safeAfterMs = verdict(rig, one, struckAtMs, endingAtMs(eventsIn(events)) ?? endedAtMs, broken);
  const isTimedOut = one.end === 'time-out';
  if (isTimedOut) onAtBlow = rig.trace.onAt(endingAtMs(eventsIn(events)) ?? endedAtMs);
  checkVerdict(one, ended, broken);
  const upAfterMs = await comeBack(rig, one, broken);
  return {
    case: one,
    safeAfterMs,
    wasOn: onAtBlow.length > 0,
    code: ended?.code ?? ended?.signal ?? 'none',
    upAfterMs,
    broken,
  };
}

export function startRun(
  rig: SafetyRig,
  { scenario, end, boundary }: Pick<Case, 'scenario' | 'end' | 'boundary'>,
  events: string,
  reference?: Reference,
): Program {
  const place = ['--firmware-url', rig.bridgeUrl, '--events', events];
  const atMs = reference?.[scenario][boundary - 1] ?? 0;
  const limit = end === 'time-out' ? ['--timeout-run', `${Math.max(1, Math.round(atMs))}ms`] : [];
  return rig.svcctl('run', `scenarios/${scenario}.oql`, '--mode', 'execute', ...place, ...limit);
}

async function strike(
  rig: SafetyRig,
  { victim, end, scenario }: Case,
  run: Program,
  events: string,
): Promise<() => Promise<void>> {
  const nothing = async () => {};
  if (victim === 'pm2') {
    for (const pid of rig.daemons()) process.kill(pid, end === 'SIGKILL' ? 'SIGKILL' : 'SIGTERM');
    return nothing;
  }
  if (victim !== 'svcctl') {
    process.kill(rig.pidOf(victim), end === 'SIGKILL' ? 'SIGKILL' : 'SIGTERM');
    return nothing;
  }
  switch (end) {
    case 'fail':
      return failLimits(rig);
    case 'error':
      return loseAnswers(rig, scenario, events, run.ended);
    case 'abort':
      run.child.kill('SIGINT');
      return nothing;
    case 'double abort':
      run.child.kill('SIGINT');
      await Promise.race([run.until('a second signal skips the teardown'), run.ended]).catch(nothing);
      run.child.kill('SIGINT');
      return nothing;
    case 'SIGTERM':
    case 'SIGKILL':
      run.child.kill(end);
      return nothing;
    default:
      return nothing;
  }
}

async function runEnd(run: Program, broken: string[]): Promise<Ended | undefined> {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = systemClock.after(RUN_LIMIT_MS, () => resolve(undefined));
  });
  const ended = await Promise.race([run.ended, late]);
  cancel();
  if (ended) return ended;
  broken.push(`the run had not ended after ${RUN_LIMIT_MS} ms`);
  run.child.kill('SIGKILL');
  return run.ended;
}

/** Which outputs a process that died had under it; all of them for the bridge and for PM2 that ends in order. */
function ownOutputs({ victim, end }: Case): string | undefined {
  if (victim === 'svc-pump') return 'pump';
  if (victim === 'svc-lung') return 'lung';
  if (victim === 'svc-bridge' || (victim === 'pm2' && end === 'SIGTERM')) return '';
  return undefined;
}

/** Whether the run cannot go on after the blow, so that everything must be safe soon after it. */
const isTheEnd = ({ victim, end }: Case): boolean =>
  victim === 'svcctl'
    ? ['abort', 'double abort', 'SIGTERM', 'SIGKILL'].includes(end)
    : ownOutputs({ victim, end } as Case) === '';

function verdict(
  rig: SafetyRig,
  one: Case,
  struckAtMs: number,
  endingMs: number,
  broken: string[],
): number | undefined {
  const limit = limitMs(one);
  const own = ownOutputs(one);
  const ownMs = own === undefined ? 0 : rig.trace.firstOffMs(struckAtMs, own);
  if (ownMs === undefined || ownMs > limit)
    broken.push(
      `${own || 'outputs'} of ${one.victim} on for ${ownMs ?? 'ever'} ms after the blow, limit ${limit}`,
    );
  const since = isTheEnd(one) ? struckAtMs : endingMs;
  const allMs = rig.trace.offForGoodMs(since);
  const allLimit = isTheEnd(one) ? limit : limitMs({ ...one, victim: 'svcctl', end: 'pass' });
  if (allMs !== undefined && allMs > allLimit)
    broken.push(`all outputs off only after ${allMs} ms, limit ${allLimit}`);
  return ownMs === undefined || allMs === undefined ? undefined : Math.max(ownMs, allMs);
}

/** A process that dies is no verdict about the device under test. */
function checkVerdict({ victim, end }: Case, ended: Ended | undefined, broken: string[]): void {
  const allowed = allowedCodes(victim === 'svcctl' ? end : 'service');
  const code = ended?.code ?? ended?.signal ?? 'none';
  if (allowed.includes(code)) return;
  const said = `${ended?.stdout.slice(-400)}${ended?.stderr.slice(-400)}`;
  broken.push(`the run ended with ${code}, not ${allowed.join(' or ')}: ${said}`);
}

/** A blow at the last boundaries may come too late to change the verdict. */
function allowedCodes(end: Case['end'] | 'service'): (number | string)[] {
  switch (end) {
    case 'pass':
      return [0];
    case 'fail':
      return [0, 1];
    case 'error':
    case 'time-out':
    case 'service':
      return [0, 3];
    case 'SIGKILL':
      return ['SIGKILL', 0];
    default:
      return [0, 130];
  }
}

/** Everything is up again under PM2, and the next run passes. */
async function comeBack(rig: SafetyRig, { victim, end }: Case, broken: string[]): Promise<number> {
  try {
    if (victim === 'pm2') {
      if (end === 'SIGTERM' && !(await eventually(() => rig.daemons().length === 0, GONE_LIMIT_MS)))
        broken.push(`PM2 had not ended ${GONE_LIMIT_MS} ms after SIGTERM`);
      await rig.endControlGroup();
      await rig.start();
    }
    const upAfterMs = await rig.untilUp(UP_LIMIT_MS);
    // A run that was killed while nothing was on leaves its lease behind all the same.
    await rig.untilFree(UP_LIMIT_MS);
    const { code, stdout, stderr } = await rig.prove().ended;
    if (code !== 0) broken.push(`the next run ended with ${code}: ${stdout}${stderr}`);
    return Math.round(upAfterMs);
  } catch (cause) {
    broken.push(`did not come back: ${messageOf(cause)}`);
    return Number.NaN;
  }
}

async function eventually(holds: () => boolean, limitMs: number): Promise<boolean> {
  const until = systemClock.monotonic() + limitMs;
  while (!holds()) {
    if (systemClock.monotonic() > until) return false;
    await systemClock.sleep(POLL_MS);
  }
  return true;
}

/** A run that passes: when each of its commands had ended, milliseconds since its start. @throws Error unless it passes */
export async function measureBoundaries(rig: SafetyRig, scenario: ScenarioName): Promise<number[]> {
  const events = join(rig.folder.path, 'reference.ndjson');
  const { code, stdout, stderr } = await startRun(rig, { scenario, end: 'pass', boundary: 0 }, events).ended;
  if (code !== 0) throw new Error(`${scenario} does not pass on the rig (${code}): ${stdout}${stderr}`);
  return boundariesOf(eventsIn(events)).map(({ t }) => t);
}
