import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { systemClock } from './clock.ts';
import { afterPrecisely, sleepPrecisely } from './precise.ts';
import { SteppedClock } from './stepped-clock.ts';

const test = suite('precise waits');

test('never early, whatever the length', async () => {
  const lateness: number[] = [];
  for (const ms of [0.3, 0.9, 1.5, 1.823, 2, 2.4, 3.6, 5.2, 0.3, 0.9, 1.5, 1.823, 2, 2.4, 3.6]) {
    const startedAt = systemClock.monotonic();
    await sleepPrecisely(systemClock, ms);
    lateness.push(systemClock.monotonic() - startedAt - ms);
  }
  assert.ok(Math.min(...lateness) >= 0, `early: ${Math.min(...lateness)}`);
});

test('on a stepped clock it ends at its own moment', async () => {
  const clock = new SteppedClock();
  let endedAt = -1;
  void sleepPrecisely(clock, 1.823).then(() => {
    endedAt = clock.monotonic();
  });
  await clock.advance(10);
  assert.is(endedAt, 1.823);
  assert.is(clock.pending, 0);
});

for (const [name, ms] of [
  ['its timer', 50],
  ['its turns', 1],
] as const) {
  test(`cancelled during ${name} nothing happens any more`, async () => {
    let calls = 0;
    const cancel = afterPrecisely(systemClock, ms, () => {
      calls += 1;
    });
    cancel();
    await systemClock.sleep(ms + 10);
    assert.is(calls, 0);
  });
}

test('an abort ends the wait with its reason', async () => {
  const controller = new AbortController();
  const waiting = sleepPrecisely(systemClock, 10_000, controller.signal);
  controller.abort(new Error('enough'));
  await waiting.then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'enough'),
  );
});

test.run();
