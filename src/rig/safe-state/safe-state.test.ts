import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { STEP_NAMES, type StepName } from './report.ts';
import { runSafeState, type SafeStateSteps, type StepResult } from './safe-state.ts';
import { SafeStateKeeper } from './safe-state-keeper.ts';

const test = suite('safe state');
const DONE: StepResult = { status: 'done', verified: true, detail: 'read back' };
const never = () => new Promise<never>(() => {});

function stepsWith(
  order: string[],
  special: Partial<Record<StepName, (signal: AbortSignal) => Promise<StepResult>>> = {},
): SafeStateSteps {
  const entries = STEP_NAMES.map((name) => [
    name,
    (signal: AbortSignal) => {
      order.push(name);
      return special[name]?.(signal) ?? Promise.resolve(DONE);
    },
  ]);
  return Object.fromEntries(entries) as SafeStateSteps;
}

async function run(steps: SafeStateSteps) {
  const clock = new SteppedClock();
  const report = runSafeState(steps, { clock, reason: 'operator', mock: false });
  await clock.advance(10_000);
  assert.is(clock.pending, 0, 'no timer is left behind');
  return report;
}

test('SVC-039 steps run in the order of the specification and all done is safe', async () => {
  const order: string[] = [];
  const report = await run(stepsWith(order));
  assert.equal(order, ['lung_halt', 'pump_zero', 'lung_deenergize', 'valves_off', 'valves_verify']);
  assert.equal([report.ok, report.outcome, report.reason], [true, 'safe', 'operator']);
  assert.ok(report.steps.every((step) => step.verified && step.status === 'done'));
});

test('SVC-039 a step that fails, throws at once or hangs does not stop the later ones', async () => {
  const order: string[] = [];
  const report = await run(
    stepsWith(order, {
      lung_halt: () => {
        throw new Error('no lung');
      },
      pump_zero: never,
      valves_off: () => Promise.reject(new Error('echo differs')),
    }),
  );
  assert.equal(order, [...STEP_NAMES]);
  assert.equal(
    report.steps.map((step) => step.status),
    ['failed', 'timeout', 'done', 'failed', 'done'],
  );
  assert.equal([report.ok, report.outcome], [false, 'partial']);
  assert.is(report.steps[0]?.detail, 'no lung');
});

test('SVC-039 with every device silent it is over within 5 s, failed, and nothing is called done', async () => {
  const order: string[] = [];
  const aborted: string[] = [];
  const hang = Object.fromEntries(
    STEP_NAMES.map((name) => [
      name,
      (signal: AbortSignal) => {
        signal.addEventListener('abort', () => aborted.push(name));
        return never();
      },
    ]),
  );
  const report = await run(stepsWith(order, hang));
  assert.equal(
    report.steps.map((step) => step.duration_ms),
    [800, 800, 800, 1400, 1000],
  );
  assert.is(report.duration_ms, 4800);
  assert.is(report.outcome, 'failed');
  assert.not.ok(report.steps.some((step) => step.ok || step.verified || step.status === 'done'));
  assert.equal(aborted, [...STEP_NAMES], 'each step is told to stop at its cap');
});

test('a simulated rig is never reported as safe, and a missing device is not a failure', async () => {
  const simulated: StepResult = { status: 'simulated', verified: false, detail: 'plant' };
  const absent: StepResult = { status: 'not_configured', verified: false, detail: 'no lung' };
  const all = Object.fromEntries(STEP_NAMES.map((name) => [name, () => Promise.resolve(simulated)]));
  assert.is((await run(stepsWith([], all))).outcome, 'simulated');
  const noLung = { lung_halt: () => Promise.resolve(absent), lung_deenergize: () => Promise.resolve(absent) };
  const report = await run(stepsWith([], noLung));
  assert.equal([report.ok, report.outcome, report.steps[0]?.status], [true, 'safe', 'not_configured']);
});

test('SVC-039 concurrent calls join one run, a later call runs again', async () => {
  const order: string[] = [];
  const clock = new SteppedClock();
  const started: string[] = [];
  const keeper = new SafeStateKeeper({
    steps: stepsWith(order, { pump_zero: () => clock.sleep(100).then(() => DONE) }),
    clock,
    mock: false,
    onStart: (reason) => started.push(reason),
    onEnd: () => {},
  });
  const first = keeper.run('operator');
  const second = keeper.run('lease_expired');
  assert.is(keeper.running, true);
  await clock.advance(200);
  assert.is(await first, await second);
  assert.is(order.length, 5);
  assert.is(keeper.running, false);
  const third = keeper.run('again');
  await clock.advance(200);
  await third;
  assert.is(order.length, 10);
  assert.equal(started, ['operator', 'again']);
});

test.run();
