import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { STEP_NAMES, type StepName } from './report.ts';
import { HEAD_START_MS, runSafeState, type SafeStateSteps, type StepResult } from './safe-state.ts';
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

test('SVC-039 steps run in the documented order and all done is safe', async () => {
  const order: string[] = [];
  const report = await run(stepsWith(order));
  assert.equal(order, ['lung_halt', 'pump_zero', 'lung_deenergize', 'valves_off', 'valves_verify']);
  assert.equal([report.ok, report.outcome, report.reason], [true, 'safe', 'operator']);
  assert.ok(report.steps.every((step) => step.verified && step.status === 'done'));
});

test('SVC-039 a step that has to wait for a device to be free has its whole time from then on; the others do not wait', async () => {
  const clock = new SteppedClock();
  const order: string[] = [];
  const ready = { valves_off: clock.sleep(950) };
  const steps = stepsWith(order, { valves_off: () => clock.sleep(1300).then(() => DONE) });
  const running = runSafeState(steps, { clock, reason: 'operator', mock: false, ready });
  await clock.advance(900);
  assert.equal(order, ['lung_halt', 'pump_zero', 'lung_deenergize']);
  await clock.advance(10_000);
  const report = await running;
  assert.is(report.outcome, 'safe', JSON.stringify(report.steps));
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
  assert.equal([...order].sort(), [...STEP_NAMES].sort());
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
  assert.is(report.duration_ms, HEAD_START_MS.valves_off + 1400 + 1000);
  assert.is(report.outcome, 'failed');
  assert.not.ok(report.steps.some((step) => step.ok || step.verified || step.status === 'done'));
  assert.equal([...aborted].sort(), [...STEP_NAMES].sort(), 'each step is aborted at its cap');
});

/** When each step began, in milliseconds after the start, with steps that take so long. */
async function begins(
  takesMs: Partial<Record<StepName, number>>,
): Promise<Partial<Record<StepName, number>>> {
  const clock = new SteppedClock();
  const at: Partial<Record<StepName, number>> = {};
  const entries = STEP_NAMES.map((name) => [
    name,
    () => {
      at[name] = clock.monotonic();
      return clock.sleep(takesMs[name] ?? 0).then(() => DONE);
    },
  ]);
  const done = runSafeState(Object.fromEntries(entries) as SafeStateSteps, {
    clock,
    reason: 'operator',
    mock: false,
  });
  await clock.advance(10_000);
  const { steps, ok } = await done;
  assert.equal([steps.map(({ name }) => name), ok], [[...STEP_NAMES], true], 'reported in the listed order');
  return at;
}

test('SVC-039 pump and lung are commanded first, and the valves close while those still read back', async () => {
  const at = await begins({ lung_halt: 5, pump_zero: 80, lung_deenergize: 5, valves_off: 20 });
  const { lung_deenergize, valves_off } = HEAD_START_MS;
  assert.equal(at, {
    lung_halt: 0,
    pump_zero: 5,
    lung_deenergize,
    valves_off,
    valves_verify: valves_off + 20,
  });
});

test('SVC-039 a device that is done lets the next one begin at once, in order', async () => {
  const at = await begins({ lung_halt: 2, pump_zero: 6, lung_deenergize: 3 });
  assert.equal(at, { lung_halt: 0, pump_zero: 2, lung_deenergize: 8, valves_off: 11, valves_verify: 11 });
});

test('SVC-039 a lung that takes its whole time keeps neither pump nor valves waiting', async () => {
  const at = await begins({ lung_halt: 799, lung_deenergize: 700 });
  const { pump_zero, valves_off } = HEAD_START_MS;
  assert.equal(at, { lung_halt: 0, pump_zero, lung_deenergize: 799, valves_off, valves_verify: valves_off });
});

test('SVC-039 whichever devices hang, it is over within 5 s', async () => {
  for (let hung = 0; hung < 2 ** STEP_NAMES.length; hung++) {
    const special = Object.fromEntries(
      STEP_NAMES.filter((_, index) => (hung & (1 << index)) !== 0).map((name) => [name, never]),
    );
    const report = await run(stepsWith([], special));
    assert.ok(report.duration_ms <= 2500, `${report.duration_ms} ms with ${Object.keys(special)}`);
    assert.is(report.outcome === 'safe', hung === 0);
  }
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

/** A keeper on its own clock whose valve step fails while `stuck.valves` is set, and when each step began. */
function keeperWith(stuck: { valves: boolean }) {
  const clock = new SteppedClock();
  const begun: string[] = [];
  const repeated: string[][] = [];
  const started: string[] = [];
  const steps = Object.fromEntries(
    STEP_NAMES.map((name) => [
      name,
      async (signal: AbortSignal) => {
        begun.push(`${clock.monotonic()} ${name}`);
        await clock.sleep(10, signal);
        if (name === 'valves_verify' && stuck.valves) throw new Error('still open: valve-3');
        return DONE;
      },
    ]),
  ) as unknown as SafeStateSteps;
  const keeper = new SafeStateKeeper({
    steps,
    clock,
    mock: false,
    onStart: (reason) => started.push(reason),
    onEnd: () => {},
    onRepeated: (again) => repeated.push(again.map(({ name, ok }) => `${name} ${ok}`)),
  });
  return { clock, keeper, begun, repeated, started };
}

test('SVC-050 what is not proven is repeated after 0.5, 1, 2 ... 30 s until it is, and only that', async () => {
  const stuck = { valves: true };
  const { clock, keeper, begun, repeated, started } = keeperWith(stuck);
  const first = keeper.run('lease_expired');
  await clock.advance(100);
  assert.is((await first).outcome, 'partial');
  assert.equal([keeper.unproven, keeper.notSafe], [['valves'], 'valves_verify: still open: valve-3']);
  begun.length = 0;
  await clock.advance(100_000);
  const begins = begun.filter((one) => one.endsWith('valves_off')).map((one) => Number(one.split(' ')[0]));
  const pauses = begins.slice(1).map((at, index) => at - Number(begins[index]) - 20);
  assert.equal(pauses.slice(0, 8), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].slice(0, pauses.length));
  assert.not.ok(
    begun.some((one) => /pump|lung/.test(one)),
    begun.join(),
  );
  assert.equal([keeper.running, keeper.last?.outcome], [false, 'partial']);
  stuck.valves = false;
  await clock.advance(31_000);
  assert.equal(repeated.at(-1), ['valves_off true', 'valves_verify true']);
  assert.equal([keeper.unproven, keeper.notSafe], [[], null]);
  assert.equal([keeper.last?.ok, keeper.last?.outcome, keeper.last?.reason], [true, 'safe', 'lease_expired']);
  assert.equal([clock.pending, started], [0, ['lease_expired']]);
});

test('SVC-050 a repetition makes way for a safe state that is asked for, and its result counts no more', async () => {
  const stuck = { valves: true };
  const { clock, keeper, begun, repeated } = keeperWith(stuck);
  void keeper.run('lease_expired');
  await clock.advance(100);
  begun.length = 0;
  while (begun.length === 0) await clock.advance(5);
  assert.match(begun.join(), /^\d+ valves_off$/, 'a repetition is under way');
  stuck.valves = false;
  const asked = keeper.run('operator');
  await clock.advance(100);
  assert.equal([(await asked).outcome, keeper.last?.reason, repeated], ['safe', 'operator', []]);
  assert.equal([begun.filter((one) => one.endsWith('valves_verify')).length, clock.pending], [1, 0]);
});

test('SVC-050 after the end nothing is repeated', async () => {
  const { clock, keeper } = keeperWith({ valves: true });
  keeper.close();
  void keeper.run('SIGTERM');
  await clock.advance(100);
  assert.equal([keeper.last?.ok, clock.pending], [false, 0]);
});

test.run();
