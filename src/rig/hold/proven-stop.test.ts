import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import { suite } from '../../test-kit/suite.ts';
import { RigError } from '../hardware/rig-error.ts';
import type { StepResult } from '../safe-state/safe-state.ts';
import { ProvenStop } from './proven-stop.ts';

const test = suite('a stop that is repeated until it is proven');

const DONE: StepResult = { status: 'done', verified: true, detail: 'read back' };
const fault = new RigError('device_unavailable', 'pump-motor', 'gone');

/** A device that answers its stops as the test says. */
function setUp(answer: (attempt: number, signal: AbortSignal) => Promise<StepResult>) {
  const clock = new SteppedClock();
  const at: number[] = [];
  const told: string[] = [];
  const stop = new ProvenStop({
    device: 'pump-motor',
    clock,
    stop: (signal) => {
      at.push(clock.monotonic());
      return answer(at.length, signal);
    },
    onProven: (reason) => told.push(`proven ${reason}`),
    onFailed: (reason, error) => told.push(`failed ${reason}: ${(error as Error).message}`),
  });
  return { clock, at, told, stop };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: RigError) => error.code,
  );

test('SVC-028 a device does not stand before it has shown it, also at the start', async () => {
  const { told, stop } = setUp(async () => DONE);
  assert.equal(stop.pending, { reason: 'start', error: undefined });
  assert.is(await stop.run('start'), DONE);
  assert.equal([stop.pending, told], [undefined, ['proven start']]);
});

test('SVC-028 a stop that fails is reported and repeated with back-off until it is proven', async () => {
  const { clock, at, told, stop } = setUp((n) => (n < 7 ? Promise.reject(fault) : Promise.resolve(DONE)));
  assert.is(await codeOf(stop.run('hold')), 'device_unavailable');
  assert.equal(stop.pending, { reason: 'hold', error: fault });
  await clock.advance(60_000);
  assert.equal(at, [0, 200, 600, 1400, 2400, 3400, 4400]);
  assert.equal([told.length, told.at(-1), stop.pending], [7, 'proven hold', undefined]);
  assert.is(clock.pending, 0);
});

test('an attempt without end is aborted and repeated', async () => {
  let aborted = 0;
  const { clock, at, stop } = setUp((n, signal) => {
    signal.addEventListener('abort', () => aborted++);
    return n === 1 ? new Promise(() => {}) : Promise.resolve(DONE);
  });
  const first = codeOf(stop.run('hold'));
  await clock.advance(2000);
  assert.equal([await first, aborted], ['device_timeout', 1]);
  await clock.advance(200);
  assert.equal([at, stop.pending], [[0, 2200], undefined]);
});

test('a call during an attempt joins it, a call between two attempts is made at once', async () => {
  let end = (_: StepResult) => {};
  const { clock, at, stop } = setUp((n) =>
    n === 1
      ? Promise.reject(fault)
      : new Promise((resolve) => {
          end = resolve;
        }),
  );
  await codeOf(stop.run('hold'));
  await clock.advance(50);
  const second = stop.run('operator');
  assert.is(stop.run('once more'), second);
  assert.equal(stop.pending, { reason: 'operator', error: fault });
  end(DONE);
  await second;
  await clock.advance(10_000);
  assert.equal([at, stop.pending], [[0, 50], undefined]);
});

test('a device that another owner has is asked for every 5 s', async () => {
  const { clock, at, stop } = setUp(() => Promise.reject(new LockHeldError('serial-ttyUSB0', null)));
  assert.is(await codeOf(stop.run('start')), 'held_by_other');
  await clock.advance(10_000);
  assert.equal(at, [0, 5000, 10_000]);
});

test('closed, it begins no further attempt and leaves no timer', async () => {
  const { clock, at, stop } = setUp(() => Promise.reject(fault));
  await codeOf(stop.run('hold'));
  stop.close();
  assert.is(clock.pending, 0);
  assert.is(await codeOf(stop.run('end')), 'device_unavailable');
  await clock.advance(10_000);
  assert.equal([at.length, clock.pending], [2, 0]);
});

test.run();
