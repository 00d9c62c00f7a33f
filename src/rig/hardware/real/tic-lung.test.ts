import * as assert from 'uvu/assert';
import { ticInMemory } from '../../../devices/tic/in-memory.ts';
import { suite } from '../../../test-kit/suite.ts';
import type { LungMotion } from '../ports.ts';
import type { RigError } from '../rig-error.ts';
import { TicLung } from './tic-lung.ts';
import { LungRecord } from './tic-lung-record.ts';

const test = suite('lung on a Tic');

const MOTION: LungMotion = { steps: 500, speed: 10_000_000, cycles: 2, pauseS: 0.5 };

async function opened() {
  const rig = ticInMemory();
  const record = new LungRecord();
  const lost: string[] = [];
  const onLost = (cause: unknown) => lost.push((cause as RigError).code);
  const lung = new TicLung(rig.tic, { clock: rig.clock, record, onLost });
  await rig.step(rig.tic.open());
  rig.events.length = 0;
  const commands = () =>
    rig.events.flatMap((event) =>
      event.kind === 'in' && event.bytes[0] === 0x40 ? [event.bytes[1]?.toString(16)] : [],
    );
  const refused = async (promise: Promise<unknown>) => {
    const outcome = promise.then(
      () => 'done',
      (error: RigError) => error.code,
    );
    return rig.step(outcome);
  };
  const isSafe = () => !rig.twin.motion.energized && rig.twin.motion.velocity === 0;
  return { ...rig, lung, record, lost, commands, refused, isSafe };
}

test('a run is moving in its pauses too, and at its end it is done, without error and without current', async () => {
  const { lung, step, clock, record, isSafe } = await opened();
  const begun = await step(lung.start(MOTION));
  assert.equal([begun.moving, begun.energized, begun.cyclesDone, begun.cyclesTotal], [true, true, 0, 2]);
  assert.ok(lung.isUnderWay && record.mayHaveCurrent);
  let pauses = 0;
  for (let status = begun; status.moving; status = await step(lung.read())) {
    if (status.velocity === 0) pauses += 1;
    await clock.advance(100);
  }
  assert.ok(pauses > 3);
  const end = await step(lung.read());
  assert.equal([end.cyclesDone, end.cyclesTotal, end.lastMotionError], [2, 2, null]);
  assert.equal([end.energized, lung.isUnderWay, record.mayHaveCurrent], [false, false, false]);
  assert.ok(isSafe());
});

test('SVC-031 a second start is refused before anything is sent, also while the first is only beginning', async () => {
  const { lung, step, refused, commands } = await opened();
  const first = lung.start(MOTION);
  assert.is(await refused(lung.start(MOTION)), 'lung_moving');
  await step(first);
  assert.is(await refused(lung.home('reverse')), 'lung_moving');
  assert.is(await refused(lung.energize()), 'lung_moving');
  assert.is(commands().filter((command) => command === 'e0').length, 1);
  assert.is((await step(lung.read())).lastMotionError, null, 'a refusal is not a failure of what goes on');
});

test('a stop supersedes a start wherever it is, and the lung is at rest when the stop is answered', async () => {
  for (const afterMs of [0, 1, 5, 20, 40]) {
    const { lung, clock, step, isSafe, record } = await opened();
    const start = lung.start(MOTION).then(
      ({ moving }) => `moving ${moving}`,
      (error: RigError) => error.code,
    );
    await clock.advance(afterMs);
    const stopped = await step(lung.stop());
    assert.equal([stopped.moving, stopped.velocity, stopped.energized], [false, 0, false]);
    // One that had been answered before the stop came was a good start.
    const outcome = await step(start);
    assert.ok(outcome === 'superseded' || (afterMs > 5 && outcome === 'moving true'), outcome);
    assert.ok(isSafe());
    assert.equal([lung.isUnderWay, record.mayHaveCurrent], [false, false]);
    await clock.advance(5000);
    assert.ok(isSafe(), 'nothing follows');
  }
});

test('a caller that gave up its start gets no motion', async () => {
  const { lung, clock, refused, isSafe } = await opened();
  const gone = new AbortController();
  const start = refused(lung.start(MOTION, gone.signal));
  await clock.advance(0);
  gone.abort();
  assert.is(await start, 'superseded');
  await clock.advance(1000);
  assert.ok(isSafe());
  const late = await lung.start(MOTION, gone.signal).catch((error: Error) => error.name);
  assert.is(late, 'AbortError', 'nor one that comes too late');
  assert.equal([lung.isUnderWay, isSafe()], [false, true]);
});

test('a stop that comes when motion was seen and the answer is not there yet supersedes the start too', async () => {
  const { lung, tic, twin, clock, step, refused, commands, isSafe } = await opened();
  const start = refused(lung.start(MOTION));
  while (!commands().includes('e0')) await clock.advance(1);
  // These stand before the reading that the start ends with, so that the stop comes before it as well.
  twin.faultEach(() => ({ late_ms: 30 }));
  const others = Array.from({ length: 3 }, () => lung.read().catch(() => {}));
  while (!tic.isBusy) await clock.advance(1);
  assert.is((await step(lung.stop())).moving, false);
  assert.is(await start, 'superseded');
  await step(Promise.all(others));
  assert.ok(isSafe());
});

test('a motion that began and could not be reported is stopped', async () => {
  const { lung, twin, clock, refused, isSafe, commands, events } = await opened();
  // The reading that the start ends with is refused each of the three times; all others are not.
  let refusals = 0;
  const isReading = () => {
    const last = events.at(-1);
    return last?.kind === 'in' && last.bytes[1] === 0xa1 && commands().includes('e0');
  };
  twin.faultEach(() => {
    if (refusals === 3 || !isReading()) return {};
    refusals += 1;
    return { stall: true };
  });
  assert.is(await refused(lung.start({ ...MOTION, steps: 1_000_000 })), 'device_error');
  await clock.advance(1000);
  assert.ok(isSafe());
  assert.is(lung.isUnderWay, false);
});

test('a failure in the run is reported in its words, and the motor is proven to be without current', async () => {
  const { lung, twin, step, clock, lost, record } = await opened();
  await step(lung.start(MOTION));
  twin.knobs.patch({ driver_error: 'over_temperature' });
  await clock.advance(1000);
  const status = await step(lung.read());
  assert.match(String(status.lastMotionError), 'motor driver reports an error (over-temperature)');
  assert.is(status.error, 'The motor driver reports an error (over_temperature)');
  assert.equal([status.moving, status.cyclesDone, status.cyclesTotal], [false, 0, 2]);
  assert.equal([lost, record.mayHaveCurrent], [[], false]);
});

test('unplugged while it moves: lost, and it may have current until the device says otherwise', async () => {
  const { lung, twin, step, clock, lost, record, refused } = await opened();
  await step(lung.start(MOTION));
  twin.knobs.patch({ unplug: true });
  await clock.advance(3000);
  assert.equal(lost, ['device_unavailable']);
  assert.is(record.mayHaveCurrent, true);
  assert.is(await refused(lung.stop()), 'device_unavailable');
  assert.is(record.mayHaveCurrent, true);
  twin.knobs.patch({ unplug: false });
  await clock.advance(6000);
  const status = await step(lung.read());
  assert.equal([status.moving, status.energized, record.mayHaveCurrent], [false, false, false]);
  assert.type(status.lastMotionError, 'string');
});

test('a start from energized goes on, and ends without current', async () => {
  const { lung, step, clock, twin, isSafe } = await opened();
  const held = await step(lung.energize());
  assert.equal([held.energized, held.moving], [true, false]);
  await clock.advance(5000);
  assert.is(twin.motion.energized, true);
  await step(lung.start({ ...MOTION, cycles: 1, pauseS: 0 }));
  await clock.advance(10_000);
  assert.ok(isSafe());
});

test('the plan is known from the settings of the device', async () => {
  const { lung } = await opened();
  const strokeMs = 2000 * Math.sqrt(500 / 400);
  assert.ok(Math.abs((lung.plannedMs(MOTION) ?? 0) - (4 * strokeMs + 1500)) < 1e-6);
});

test.run();
