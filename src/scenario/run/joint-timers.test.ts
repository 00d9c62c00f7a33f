import * as assert from 'uvu/assert';
import type { Clock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { JointTimers } from './joint-timers.ts';

interface Context {
  /** Timers that are set, by the time until they fire. */
  set: Map<() => void, number>;
  timers: JointTimers;
  fired: string[];
}

const test = suite<Context>('timers of sampled sensors');
const NOW = 1000.3;

test.before.each((context) => {
  context.set = new Map();
  context.fired = [];
  const clock = {
    monotonic: () => NOW,
    after: (ms: number, action: () => void) => {
      context.set.set(action, ms);
      return () => context.set.delete(action);
    },
  };
  context.timers = new JointTimers(clock as unknown as Clock);
});

const fire = (context: Context): void => {
  for (const action of [...context.set.keys()]) {
    context.set.delete(action);
    action();
  }
};

test('PAGE-008 actions for the same moment have one timer', (context) => {
  const { timers, set, fired } = context;
  timers.at(1010, async () => void fired.push('one'));
  timers.at(1015, async () => void fired.push('later'));
  timers.at(1010, async () => void fired.push('two'));
  assert.equal([...set.values()], [1010 - NOW, 1015 - NOW]);
  fire(context);
  assert.equal(fired, ['one', 'two', 'later']);
});

test('PAGE-008 one that is cancelled leaves the others, and the last one the timer', (context) => {
  const { timers, set, fired } = context;
  const cancels = ['one', 'two'].map((name) => timers.at(1012, async () => void fired.push(name)));
  cancels[0]?.();
  assert.is(set.size, 1);
  cancels[1]?.();
  cancels[1]?.();
  assert.is(set.size, 0);
  timers.at(1012, async () => void fired.push('three'));
  assert.is(set.size, 1);
  cancels[0]?.();
  fire(context);
  assert.equal(fired, ['three']);
});

test('PAGE-008 one that is cancelled by another of the same moment does not fire', (context) => {
  const { timers, fired } = context;
  timers.at(1012, async () => {
    fired.push('one');
    cancel();
    timers.at(1012, async () => void fired.push('again'));
  });
  const cancel = timers.at(1012, async () => void fired.push('two'));
  fire(context);
  assert.equal(fired, ['one']);
  fire(context);
  assert.equal(fired, ['one', 'again']);
});

test.run();
