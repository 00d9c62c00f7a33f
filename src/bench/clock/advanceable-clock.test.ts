import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { AdvanceableClock } from './advanceable-clock.ts';

const test = suite('a clock that runs and can be moved ahead');

function clocks() {
  const base = new SteppedClock();
  return { base, clock: new AdvanceableClock(base) };
}

test('it runs with the clock below it', async () => {
  const { base, clock } = clocks();
  const fired: number[] = [];
  clock.after(30, () => fired.push(clock.monotonic()));
  await base.advance(100);
  assert.equal([clock.monotonic(), ...fired], [100, 30]);
});

test('what falls due in a jump happens at once, in order, each at its own moment', async () => {
  const { base, clock } = clocks();
  const fired: string[] = [];
  const tell = (name: string) => () => fired.push(`${name} ${clock.monotonic()}`);
  clock.after(500, tell('b'));
  clock.after(100, () => {
    tell('a')();
    clock.after(50, tell('a again'));
  });
  clock.after(2000, tell('c'));
  const cancel = clock.after(300, tell('cancelled'));
  cancel();
  await clock.advance(1000);
  assert.equal(fired, ['a 100', 'a again 150', 'b 500']);
  assert.is(clock.monotonic(), 1000);
  assert.is(base.monotonic(), 0);
});

test('after a jump the rest of a wait is what is left of it', async () => {
  const { base, clock } = clocks();
  const fired: number[] = [];
  clock.after(2000, () => fired.push(base.monotonic()));
  await clock.advance(1500);
  await base.advance(499);
  assert.equal(fired, []);
  await base.advance(1);
  assert.equal(fired, [500]);
  assert.is(base.pending, 0);
});

test('two jumps are made one after the other', async () => {
  const { clock } = clocks();
  await Promise.all([clock.advance(100), clock.advance(200)]);
  assert.is(clock.monotonic(), 300);
});

test('a sleep ends in a jump, or with its signal, and leaves no timer', async () => {
  const { base, clock } = clocks();
  const asleep = clock.sleep(1000);
  const stop = new AbortController();
  const aborted = clock.sleep(5000, stop.signal).catch((reason: unknown) => reason);
  await clock.advance(1000);
  await asleep;
  stop.abort('enough');
  assert.is(await aborted, 'enough');
  assert.is(base.pending, 0);
});

test('on the machine it goes on by itself', async () => {
  const clock = new AdvanceableClock(systemClock);
  const from = clock.monotonic();
  await clock.advance(10_000);
  await clock.sleep(20);
  const passed = clock.monotonic() - from;
  assert.ok(passed >= 10_018 && passed < 12_000, String(passed));
});

test.run();
