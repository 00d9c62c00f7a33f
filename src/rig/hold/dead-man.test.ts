import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { DeadMan } from './dead-man.ts';

const test = suite('dead-man hold');

function setUp() {
  const clock = new SteppedClock();
  const ends: number[] = [];
  const hold = new DeadMan({ clock, onEnd: () => ends.push(clock.monotonic()) });
  return { clock, ends, hold };
}

test('SVC-028 a hold that nobody renews ends once, at its time', async () => {
  const { clock, ends, hold } = setUp();
  hold.renew(10);
  assert.equal([hold.active, hold.remainingS], [true, 10]);
  await clock.advance(9999);
  assert.equal([hold.active, hold.remainingS, ends], [true, 0.001, []]);
  await clock.advance(60_000);
  assert.equal([hold.active, hold.remainingS, ends], [false, null, [10_000]]);
  assert.is(clock.pending, 0);
});

test('SVC-028 a renewal counts from when it came, and may also be shorter', async () => {
  const { clock, ends, hold } = setUp();
  hold.renew(10);
  await clock.advance(9000);
  hold.renew(10);
  await clock.advance(9000);
  assert.equal(ends, []);
  hold.renew(0.5);
  assert.is(hold.remainingS, 0.5);
  await clock.advance(20_000);
  assert.equal(ends, [18_500]);
});

test('a hold that was cleared does not end; a new one does', async () => {
  const { clock, ends, hold } = setUp();
  hold.renew(1);
  hold.clear();
  hold.clear();
  assert.equal([hold.active, hold.remainingS, clock.pending], [false, null, 0]);
  await clock.advance(5000);
  assert.equal(ends, []);
  hold.renew(1);
  await clock.advance(1000);
  hold.renew(1);
  await clock.advance(1000);
  assert.equal(ends, [6000, 7000]);
});

test('it may be begun anew from within its end', async () => {
  const clock = new SteppedClock();
  let ends = 0;
  const hold: DeadMan = new DeadMan({
    clock,
    onEnd: () => {
      assert.is(hold.active, false);
      if (ends++ === 0) hold.renew(2);
    },
  });
  hold.renew(1);
  await clock.advance(1000);
  assert.equal([ends, hold.active], [1, true]);
  await clock.advance(2000);
  assert.is(ends, 2);
});

test('a hold whose end a busy process has not noticed yet is no longer active', () => {
  let now = 0;
  const clock = new SteppedClock();
  const late = {
    now: () => clock.now(),
    monotonic: () => now,
    sleep: (ms: number) => clock.sleep(ms),
    after: (ms: number, action: () => void) => clock.after(ms, action),
  };
  const hold = new DeadMan({ clock: late, onEnd: () => {} });
  hold.renew(1);
  now = 1000;
  assert.equal([hold.active, hold.remainingS], [false, null]);
});

test('a time that no timer can keep is refused, and the hold stays as it was', async () => {
  const { clock, ends, hold } = setUp();
  hold.renew(1);
  for (const holdS of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_484])
    assert.throws(() => hold.renew(holdS), /is not within 0 to 2147483 s/);
  assert.is(hold.remainingS, 1);
  await clock.advance(1000);
  assert.equal(ends, [1000]);
});

test.run();
