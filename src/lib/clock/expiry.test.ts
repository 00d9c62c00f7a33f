import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { Clock } from './clock.ts';
import { Expiry } from './expiry.ts';
import { SteppedClock } from './stepped-clock.ts';

const test = suite('expiry of leases and holds');

function setUp() {
  const clock = new SteppedClock();
  const ends: number[] = [];
  const hold = new Expiry({ clock, onExpired: () => ends.push(clock.monotonic()) });
  return { clock, ends, hold };
}

test('SVC-028 a hold without renewal ends once, at its time', async () => {
  const { clock, ends, hold } = setUp();
  hold.renew(10000);
  assert.equal([hold.active, hold.remainingMs], [true, 10_000]);
  await clock.advance(9999);
  assert.equal([hold.active, hold.remainingMs, ends], [true, 1, []]);
  await clock.advance(60_000);
  assert.equal([hold.active, hold.remainingMs, ends], [false, null, [10_000]]);
  assert.is(clock.pending, 0);
});

test('SVC-028 a renewal counts from when it came, and may also be shorter', async () => {
  const { clock, ends, hold } = setUp();
  hold.renew(10000);
  await clock.advance(9000);
  hold.renew(10000);
  await clock.advance(9000);
  assert.equal(ends, []);
  hold.renew(500);
  assert.is(hold.remainingMs, 500);
  await clock.advance(20_000);
  assert.equal(ends, [18_500]);
});

test('SVC-037 a hold that was cleared does not end; a new one does', async () => {
  const { clock, ends, hold } = setUp();
  hold.renew(1000);
  hold.clear();
  hold.clear();
  assert.equal([hold.active, hold.remainingMs, clock.pending], [false, null, 0]);
  await clock.advance(5000);
  assert.equal(ends, []);
  hold.renew(1000);
  await clock.advance(1000);
  hold.renew(1000);
  await clock.advance(1000);
  assert.equal(ends, [6000, 7000]);
});

test('it may be begun anew from within its end', async () => {
  const clock = new SteppedClock();
  let ends = 0;
  const hold: Expiry = new Expiry({
    clock,
    onExpired: () => {
      assert.is(hold.active, false);
      if (ends++ === 0) hold.renew(2000);
    },
  });
  hold.renew(1000);
  await clock.advance(1000);
  assert.equal([ends, hold.active], [1, true]);
  await clock.advance(2000);
  assert.is(ends, 2);
});

/** The clock moves by hand, its timers by the stepped clock: they may come late or early. */
function withLooseTimers() {
  const timers = new SteppedClock();
  const time = { now: 0, ends: 0 };
  const clock: Clock = {
    now: () => timers.now(),
    monotonic: () => time.now,
    sleep: (ms) => timers.sleep(ms),
    after: (ms, action) => timers.after(ms, action),
  };
  const hold = new Expiry({
    clock,
    onExpired: () => {
      time.ends += 1;
    },
  });
  return { timers, time, hold };
}

test('a hold whose end a busy process has not noticed yet ends with the next question, once', async () => {
  const { timers, time, hold } = withLooseTimers();
  hold.renew(1000);
  time.now = 1000;
  assert.equal([hold.active, hold.remainingMs, time.ends], [false, null, 1]);
  await timers.advance(5000);
  assert.is(time.ends, 1);
});

test('a timer that fires early is set again', async () => {
  const { timers, time, hold } = withLooseTimers();
  hold.renew(1000);
  time.now = 999.5;
  await timers.advance(1000);
  assert.equal([hold.active, time.ends], [true, 0]);
  time.now = 1000.5;
  await timers.advance(1);
  assert.is(time.ends, 1);
});

test('a hold can be shortened, and is never lengthened by that', async () => {
  const { clock, ends, hold } = setUp();
  hold.shorten(500);
  assert.is(hold.active, false);
  hold.renew(1000);
  hold.shorten(2000);
  assert.is(hold.remainingMs, 1000);
  hold.shorten(500);
  await clock.advance(60_000);
  assert.equal(ends, [500]);
});

test('a hold that is shortened to 0 ends at once, and only once', async () => {
  const { clock, ends, hold } = setUp();
  hold.renew(1000);
  hold.shorten(0);
  assert.equal([hold.active, ends], [false, [0]]);
  hold.shorten(0);
  await clock.advance(60_000);
  assert.equal(ends, [0]);
});

test('a time that no timer can keep is refused, and the hold stays as it was', async () => {
  const { clock, ends, hold } = setUp();
  hold.renew(1000);
  for (const ms of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648])
    assert.throws(() => hold.renew(ms), /is not within 0 to 2147483647 ms/);
  assert.is(hold.remainingMs, 1000);
  await clock.advance(1000);
  assert.equal(ends, [1000]);
});

test.run();
