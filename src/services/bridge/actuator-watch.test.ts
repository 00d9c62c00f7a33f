import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { KnownStates } from '../../rig/interlocks/known-states.ts';
import { suite } from '../../test-kit/suite.ts';
import { ActuatorWatch } from './actuator-watch.ts';
import type { OutputDevice } from './read-back.ts';

const test = suite('watch of the outputs');

const LOST_AFTER_MS = 950;

/** A valve board of one valve that is read at the moments in `reads`, and answers as `answers` says. */
function watched(lostAfterMs = LOST_AFTER_MS) {
  const clock = new SteppedClock();
  const states = new KnownStates();
  const rig = {
    clock,
    states,
    isPaused: false,
    reads: [] as { at: number; withinMs: number | undefined }[],
    lost: [] as string[],
    /** Of each reading; `undefined` is a good one at once. */
    answer: (): Promise<void> | undefined => undefined,
    /** Since the last call. */
    readTimes: () => rig.reads.splice(0).map(({ at }) => at),
    switchOn: () => {
      states.begin('valve-1', true)(true);
      watch.switchedOn();
    },
  };
  const look: OutputDevice['look'] = async (_signal, withinMs) => {
    rig.reads.push({ at: clock.monotonic(), withinMs });
    await rig.answer();
    return [];
  };
  const board: OutputDevice = { plugin: 'modbus-io', device: 'valves', ids: ['valve-1'], lostAfterMs, look };
  const watch = new ActuatorWatch({
    ...{ devices: [board], states, clock },
    isPaused: () => rig.isPaused,
    onLost: (why) => rig.lost.push(why),
  });
  watch.begin();
  return { rig, watch };
}

const silent = (): Promise<void> => Promise.reject(new Error('no answer'));

test('SVC-051 what should be off is read every second, and less often while it does not answer, down to every 5 s', async () => {
  const { rig } = watched();
  await rig.clock.advance(3000);
  assert.equal(rig.readTimes(), [1000, 2000, 3000]);
  rig.answer = silent;
  await rig.clock.advance(17_000);
  assert.equal(rig.readTimes(), [4000, 6000, 10_000, 15_000, 20_000]);
  rig.answer = () => undefined;
  await rig.clock.advance(7000);
  assert.equal(rig.readTimes(), [25_000, 26_000, 27_000]);
  assert.equal(rig.lost, [], 'nothing was on');
});

test('what is on is read five times a second from the moment on at which it is switched on', async () => {
  const { rig } = watched();
  await rig.clock.advance(1500);
  rig.switchOn();
  rig.reads.length = 0;
  await rig.clock.advance(1000);
  assert.equal(rig.readTimes(), [1700, 1900, 2100, 2300, 2500]);
});

test('DEV-056 a board that is silent while a valve is open is lost 0.95 s after its last good reading, not before', async () => {
  const { rig } = watched();
  rig.switchOn();
  await rig.clock.advance(200);
  rig.reads.length = 0;
  // It gives up after the time that it is given, at the latest.
  rig.answer = () => rig.clock.sleep(Math.min(150, rig.reads.at(-1)?.withinMs ?? 0)).then(silent);
  await rig.clock.advance(949);
  assert.equal([rig.lost, rig.reads.at(0)], [[], { at: 400, withinMs: 750 }]);
  assert.equal(rig.readTimes(), [400, 600, 800, 1000], 'again 50 ms behind each failure');
  await rig.clock.advance(1);
  assert.equal(rig.lost, ['valve-1: not read back for 0.95 s while on: no answer']);
});

test('DEV-056 readings that fail now and then are no loss: each good one begins the time anew', async () => {
  const { rig } = watched();
  rig.switchOn();
  let n = 0;
  rig.answer = () => (n++ % 2 === 0 ? rig.clock.sleep(500).then(silent) : undefined);
  await rig.clock.advance(20_000);
  assert.ok(n > 20);
  assert.equal(rig.lost, []);
});

test('DEV-056 what was off for long and is switched on has its whole time, whatever failed before', async () => {
  const { rig } = watched();
  rig.answer = silent;
  await rig.clock.advance(11_000);
  rig.switchOn();
  await rig.clock.advance(900);
  assert.equal(rig.lost, []);
  await rig.clock.advance(100);
  assert.is(rig.lost.length > 0, true);
});

test('DEV-056 during a safe state nothing is read and nothing is lost; behind it the time begins anew', async () => {
  const { rig } = watched();
  rig.switchOn();
  rig.answer = silent;
  await rig.clock.advance(500);
  rig.isPaused = true;
  rig.reads.length = 0;
  await rig.clock.advance(5000);
  assert.equal([rig.readTimes(), rig.lost], [[], []]);
  rig.isPaused = false;
  await rig.clock.advance(900);
  assert.equal(rig.lost, []);
  await rig.clock.advance(300);
  assert.is(rig.lost.length > 0, true);
});

test('DEV-056 a reading that fails while a safe state has begun is no loss', async () => {
  const { rig } = watched();
  rig.switchOn();
  rig.answer = () => rig.clock.sleep(2000).then(silent);
  await rig.clock.advance(1000);
  rig.isPaused = true;
  await rig.clock.advance(2000);
  assert.equal(rig.lost, []);
});

test('DEV-056 what was switched off before a reading failed is not lost', async () => {
  const { rig } = watched();
  rig.switchOn();
  rig.answer = () => rig.clock.sleep(2000).then(silent);
  await rig.clock.advance(1000);
  rig.states.begin('valve-1', false)(false);
  await rig.clock.advance(2000);
  assert.equal(rig.lost, []);
});

test('a device that has a hold of its own is never lost by silence', async () => {
  const { rig } = watched(Number.POSITIVE_INFINITY);
  rig.switchOn();
  rig.answer = silent;
  await rig.clock.advance(3000);
  assert.equal([rig.lost, rig.readTimes().slice(0, 3)], [[], [200, 400, 600]]);
});

test('a watch that is closed reads nothing any more, and waits for nothing', async () => {
  for (const isOn of [true, false]) {
    const { rig, watch } = watched();
    if (isOn) rig.switchOn();
    await rig.clock.advance(1100);
    watch.close();
    rig.reads.length = 0;
    await rig.clock.advance(0);
    assert.is(rig.clock.pending, 0);
    await rig.clock.advance(5000);
    assert.equal(rig.readTimes(), []);
  }
});

test('SVC-051 every device is read, each at its own pace', async () => {
  const clock = new SteppedClock();
  const reads: string[] = [];
  const device = (plugin: OutputDevice['plugin'], hasFault: boolean): OutputDevice => ({
    ...{ plugin, device: 'valves', ids: [], lostAfterMs: LOST_AFTER_MS },
    look: async () => {
      reads.push(`${plugin} ${clock.monotonic()}`);
      if (hasFault) throw new Error('no answer');
      return [];
    },
  });
  const devices = [device('modbus-io', true), device('modbus-io-2', false)];
  const states = new KnownStates();
  new ActuatorWatch({ ...{ devices, states, clock }, isPaused: () => false, onLost: () => {} }).begin();
  await clock.advance(3000);
  assert.equal(reads.sort(), [
    ...['modbus-io 1000', 'modbus-io 3000'],
    ...['modbus-io-2 1000', 'modbus-io-2 2000', 'modbus-io-2 3000'],
  ]);
});

test.run();
