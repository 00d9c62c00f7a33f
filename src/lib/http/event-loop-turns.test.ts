import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import { EventLoopTurns, type Priority } from './event-loop-turns.ts';

const test = suite('turns of the event loop');

/** Turns on a clock that moves only when work says that it took some time. */
function turnsOn() {
  let nowMs = 0;
  const clock: Clock = { ...systemClock, monotonic: () => nowMs };
  const turns = new EventLoopTurns(clock);
  const done: string[] = [];
  const add = (name: string, priority: Priority = 'read', ms = 0.5) =>
    turns.run(priority, () => {
      nowMs += ms;
      done.push(name);
    });
  return { turns, done, add };
}

/** One pass of the event loop. */
const pass = () => new Promise<void>((resolve) => setImmediate(resolve));

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `r${from + n}`);

test('SVC-058 work beyond a few milliseconds waits for the next pass of the event loop, in its order', async () => {
  const { done, add } = turnsOn();
  for (const name of names(0, 10)) add(name);
  assert.equal(done, names(0, 4));
  await pass();
  assert.equal(done, names(0, 8));
  await pass();
  assert.equal(done, names(0, 10));
});

test('SVC-058 a stop goes first, then commands, and readers are not kept out', async () => {
  const { done, add } = turnsOn();
  for (const name of names(0, 6)) add(name);
  for (const name of ['c0', 'c1', 'c2', 'c3', 'c4']) add(name, 'control');
  add('stop', 'stop');
  assert.equal(done, [...names(0, 4), 'stop'], 'a stop has a reserve in a pass that is used up');
  await pass();
  assert.equal(done.slice(5), ['r4', 'c0', 'c1', 'c2']);
  await pass();
  assert.equal(done.slice(9), ['r5', 'c3', 'c4']);
});

test('SVC-058 stops beyond the reserve wait for the next pass, and are the first of it', async () => {
  const { done, add } = turnsOn();
  for (const name of names(0, 6)) add(name);
  for (const name of ['s0', 's1', 's2']) add(name, 'stop');
  assert.equal(done, [...names(0, 4), 's0', 's1']);
  await pass();
  assert.equal(done.slice(6, 8), ['s2', 'r4']);
});

test('work that begins more work goes on with it until the turn is over', async () => {
  const { turns, done, add } = turnsOn();
  turns.run('read', () => {
    for (const name of names(0, 6)) add(name);
    done.push('outer');
  });
  assert.equal(done, [...names(0, 4), 'outer']);
  await pass();
  assert.equal(done.slice(5), ['r4', 'r5']);
});

test('work that throws does not keep the others from their turn', async () => {
  const { turns, done, add } = turnsOn();
  assert.throws(() =>
    turns.run('read', () => {
      throw new Error('defect');
    }),
  );
  add('next');
  assert.equal(done, ['next']);
});

test.run();
