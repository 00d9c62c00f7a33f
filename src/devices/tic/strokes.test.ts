import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { failure } from '../failure.ts';
import { ticInMemory } from './in-memory.ts';
import { plannedMs, type StrokeOrder, startStrokes } from './strokes.ts';

const test = suite('tic strokes');

const ORDER: StrokeOrder = {
  steps: 500,
  speed: 10_000_000,
  cycles: 2,
  pauseS: 0.5,
  direction: 'forward',
  limitMode: 'reverse_on_limit',
};

async function opened() {
  const rig = ticInMemory();
  await rig.step(rig.tic.open());
  const { clock, tic, twin } = rig;
  const start = (order: Partial<StrokeOrder> = {}) =>
    rig.step(startStrokes(tic, { ...ORDER, ...order }, clock));
  /** Where the shaft turned and rested. */
  const turns = () =>
    rig.events.flatMap((event) =>
      event.kind === 'motion' && event.velocity === 0 && event.energized ? [event.position] : [],
    );
  const isSafe = () => !twin.motion.energized && twin.motion.velocity === 0;
  return { ...rig, start, turns, isSafe };
}

test('two cycles go out and back twice, hold at the turns, and let go at the end', async () => {
  const { start, step, twin, isSafe, clock, events } = await opened();
  const beganMs = clock.monotonic();
  const run = await start();
  const end = await step(run.ended);
  assert.equal([end.reason, end.cyclesDone, end.cyclesTotal], ['done', 2, 2]);
  assert.is(twin.motion.position, 0);
  assert.ok(isSafe());
  const places = events.flatMap((event) => (event.kind === 'motion' ? [event.position] : []));
  assert.equal(
    [...new Set(places)].sort((a, b) => a - b),
    [0, 500],
  );
  const current = events.flatMap((event) => (event.kind === 'motion' ? [event.energized] : []));
  assert.is(current.lastIndexOf(true), current.length - 2, 'current all the way to the end');
  // Each stroke is noticed as ended, and the next one begun, up to one look later.
  const tookMs = clock.monotonic() - beganMs;
  const planned = plannedMs(ORDER, 40_000);
  assert.ok(tookMs >= planned && tookMs < planned + 4 * 150, `${tookMs} ms where ${planned} were planned`);
});

test('the planned duration: strokes, and a pause at each turn but the last', () => {
  const strokeMs = 2000 * Math.sqrt(500 / 400);
  assert.ok(Math.abs(plannedMs(ORDER, 40_000) - (4 * strokeMs + 3 * 500)) < 1e-6);
  assert.ok(Math.abs(plannedMs({ ...ORDER, cycles: 1, pauseS: 0 }, 40_000) - 2 * strokeMs) < 1e-6);
});

test('one cycle in reverse', async () => {
  const { start, step, events, twin } = await opened();
  const run = await start({ cycles: 1, direction: 'reverse', pauseS: 0 });
  assert.is((await step(run.ended)).reason, 'done');
  const places = events.flatMap((event) => (event.kind === 'motion' ? [event.position] : []));
  assert.is(Math.min(...places), -500);
  assert.is(twin.motion.position, 0);
});

test('the cycles are counted while it runs', async () => {
  const { start, step, clock } = await opened();
  const run = await start({ cycles: 3, pauseS: 0 });
  const seen = new Set<number>();
  let ended = false;
  void run.ended.then(() => {
    ended = true;
  });
  while (!ended) {
    seen.add(run.cyclesDone);
    await clock.advance(100);
  }
  assert.equal([...seen], [0, 1, 2]);
  assert.is((await step(run.ended)).cyclesDone, 3);
});

test('reverse_on_limit: the switch ends the stroke and the way back follows, in every cycle', async () => {
  const { start, step, twin, isSafe, turns } = await opened();
  twin.knobs.patch({ forward_limit_at: 320 });
  const run = await start();
  const end = await step(run.ended);
  assert.equal([end.reason, end.cyclesDone], ['done', 2]);
  assert.is(Math.max(...turns()), 320);
  assert.is(twin.motion.position, 0);
  assert.ok(isSafe());
});

test('stop: the switch ends the run and the motor is let go', async () => {
  const { start, step, twin, isSafe } = await opened();
  twin.knobs.patch({ forward_limit_at: 320 });
  const run = await start({ limitMode: 'stop' });
  const end = await step(run.ended);
  assert.equal([end.reason, end.limit, end.cyclesDone], ['limit', 'forward', 0]);
  assert.is(twin.motion.position, 320);
  assert.ok(isSafe());
});

test('reverse_on_limit: a switch that stays down ends the run, with nothing energized', async () => {
  const { start, step, twin, clock, isSafe } = await opened();
  const run = await start({ cycles: 5 });
  await clock.advance(400);
  twin.knobs.patch({ forward_limit: true });
  const end = await step(run.ended);
  assert.equal([end.reason, end.error?.code], ['failed', 'lung_limits_blocked']);
  assert.is(end.cyclesDone, 1);
  assert.ok(isSafe());
});

test('a stop ends the run in the stroke and in the pause; nothing follows', async () => {
  for (const afterMs of [300, 2400]) {
    const { start, step, tic, twin, clock, isSafe } = await opened();
    const run = await start({ pauseS: 5 });
    await clock.advance(afterMs);
    await step(tic.stop());
    assert.is((await step(run.ended)).reason, 'stopped');
    const { position } = twin.motion;
    await clock.advance(30_000);
    assert.is(twin.motion.position, position);
    assert.ok(isSafe());
    assert.is(clock.pending, 0);
  }
});

test('an error in the pause ends the run at once, although nothing moves', async () => {
  const { start, step, twin, clock, isSafe } = await opened();
  const run = await start({ pauseS: 30 });
  await clock.advance(4000);
  twin.knobs.patch({ kill_switch: true });
  await clock.advance(200);
  twin.knobs.patch({ kill_switch: false });
  const beganMs = clock.monotonic();
  const end = await step(run.ended);
  assert.equal([end.reason, end.error?.code], ['failed', 'device_error']);
  assert.ok(clock.monotonic() - beganMs < 100);
  assert.ok(isSafe());
});

test('a device that falls silent in a stroke ends the run; no stroke is repeated', async () => {
  const { start, step, twin, clock, isSafe, events } = await opened();
  const run = await start({ cycles: 10, pauseS: 0 });
  await clock.advance(1000);
  twin.faultOnce({ silent: true });
  const end = await step(run.ended);
  assert.is(end.reason, 'failed');
  const targets = () => events.filter((event) => event.kind === 'in' && event.bytes[1] === 0xe0).length;
  const sent = targets();
  await clock.advance(20_000);
  assert.is(targets(), sent);
  assert.ok(isSafe());
});

test('a run while another one holds the motor is refused, also in its pause', async () => {
  const { start, step, tic, clock } = await opened();
  const run = await start({ pauseS: 10, cycles: 1 });
  for (const afterMs of [100, 4000]) {
    await clock.advance(afterMs);
    const error = await step(failure(startStrokes(tic, ORDER, clock)));
    assert.equal([error.code, error.reason], ['device_busy', 'moving']);
  }
  assert.is((await step(run.ended)).reason, 'done');
});

test('an order out of its ranges is refused and nothing is sent', async () => {
  const { tic, clock, step, events } = await opened();
  events.length = 0;
  const wrong: Partial<StrokeOrder>[] = [
    { steps: 0 },
    { steps: 1_000_001 },
    { speed: 0 },
    { speed: 500_000_001 },
    { cycles: 0 },
    { cycles: 10_001 },
    { cycles: 1.5 },
    { pauseS: -0.1 },
    { pauseS: 60.1 },
    { pauseS: Number.NaN },
  ];
  for (const patch of wrong)
    assert.is(
      (await step(failure(startStrokes(tic, { ...ORDER, ...patch }, clock)))).code,
      'value_out_of_range',
    );
  assert.equal(events, []);
});

test.run();
