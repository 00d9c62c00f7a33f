import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { SteppedClock } from '../clock/stepped-clock.ts';
import { StopSource } from './stop-source.ts';

const test = suite('stop of a request');

interface Given {
  stop: StopSource;
  said: string[];
  resolve: (value: string) => void;
  reject: (reason: unknown) => void;
}

function racing(): Given {
  const stop = new StopSource();
  const said: string[] = [];
  let resolve = (_: string) => {};
  let reject = (_: unknown) => {};
  const work = new Promise<string>((...both) => {
    [resolve, reject] = both;
  });
  stop.race(
    work,
    (value) => said.push(`result ${value}`),
    (reason) => said.push(`refused ${reason}`),
  );
  return { stop, said, resolve, reject };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the first of result, error and stop is told, and nothing after it', async () => {
  for (const [first, told] of [
    [({ resolve }: Given) => resolve('a'), 'result a'],
    [({ reject }: Given) => reject('b'), 'refused b'],
    [({ stop }: Given) => stop.abort('c'), 'refused c'],
  ] as const) {
    const given = racing();
    first(given);
    await turn();
    given.resolve('later');
    given.reject('later');
    given.stop.abort('later');
    await turn();
    assert.equal(given.said, [told]);
  }
});

test('a stop before the race ends it at once, and the signal is aborted whenever it is asked for', async () => {
  const stop = new StopSource();
  stop.abort('gone');
  stop.abort('again');
  const said: unknown[] = [];
  stop.race(
    new Promise<never>(() => {}),
    () => {},
    (reason) => said.push(reason),
  );
  assert.equal([said, stop.signal.aborted, stop.signal.reason], [['gone'], true, 'gone']);
});

test('the deadline aborts the signal with its reason, and is gone with the end of the race', async () => {
  const clock = new SteppedClock();
  const late = racing();
  late.stop.abortAfter(clock, 100, () => 'late');
  const { signal } = late.stop;
  await clock.advance(99);
  assert.equal([late.said, signal.aborted], [[], false]);
  await clock.advance(1);
  assert.equal([late.said, signal.reason], [['refused late'], 'late']);

  const quick = racing();
  quick.stop.abortAfter(clock, 100, () => 'late');
  quick.resolve('in time');
  await turn();
  await clock.advance(1000);
  assert.equal([quick.said, quick.stop.signal.aborted], [['result in time'], false]);
});

test.run();
