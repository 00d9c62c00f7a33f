import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { type GuardState, GuardWatch } from './guard-watch.ts';

const test = suite('watch of the guard by the page');

function watched(answer: (clock: SteppedClock, timeoutMs: number) => Promise<boolean>) {
  const clock = new SteppedClock();
  const states: GuardState[] = [];
  const watch = new GuardWatch({
    clock,
    ask: (timeoutMs) => answer(clock, timeoutMs),
    onState: (state) => states.push(state),
  });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) await clock.advance(50);
  };
  return { watch, states, pass };
}

test('PAGE-003 SVC-069 a guard that ends, hangs or is another program is reported within 2 s, and when it is back', async () => {
  const silent = (clock: SteppedClock, ms: number) => clock.sleep(ms).then(() => false);
  const gone = () => Promise.reject(new TypeError('no connection'));
  for (const failing of [silent, gone, async () => false]) {
    let answer: (clock: SteppedClock, ms: number) => Promise<boolean> = async () => true;
    const { watch, states, pass } = watched((clock, ms) => answer(clock, ms));
    watch.start();
    await pass(3000);
    assert.is(states.at(-1), 'ok');
    answer = failing;
    await pass(1900);
    assert.is(states.at(-1), 'lost');
    answer = async () => true;
    await pass(2000);
    assert.is(states.at(-1), 'ok');
    watch.stop();
  }
});

test('an answer that comes after the watch was stopped is discarded', async () => {
  const { watch, states, pass } = watched((clock) => clock.sleep(500).then(() => true));
  watch.start();
  watch.stop();
  await pass(2000);
  assert.is(states.at(-1), 'unknown');
});

test.run();
