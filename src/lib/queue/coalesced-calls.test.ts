import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { CoalescedCalls } from './coalesced-calls.ts';

const test = suite('coalesced calls');

/** Work that ends when the test says so; the results are numbered. */
function controlled() {
  const calls = new CoalescedCalls();
  const running: { end: (fault?: Error) => void; signal: AbortSignal }[] = [];
  let count = 0;
  const work = (signal: AbortSignal) => {
    const number = ++count;
    return new Promise<number>((resolve, reject) => {
      running.push({ end: (fault) => (fault ? reject(fault) : resolve(number)), signal });
    });
  };
  const ask = (signal?: AbortSignal, key = 'key') => calls.call(key, work, signal);
  return { ask, running, settle: () => new Promise<void>((resolve) => setImmediate(resolve)) };
}

test('SVC-058 requests during a call share the next one, which begins after it', async () => {
  const { ask, running, settle } = controlled();
  const first = ask();
  await settle();
  const later = [ask(), ask(), ask()];
  await settle();
  assert.is(running.length, 1);
  running[0]?.end();
  assert.is(await first, 1);
  await settle();
  assert.is(running.length, 2);
  running[1]?.end();
  assert.equal(await Promise.all(later), [2, 2, 2]);
  const last = ask();
  await settle();
  running[2]?.end();
  assert.is(await last, 3, 'nothing is kept');
});

test('those who ask before it has begun share it; other keys do not wait', async () => {
  const { ask, running, settle } = controlled();
  const both = [ask(), ask()];
  const other = ask(undefined, 'other');
  await settle();
  assert.is(running.length, 2);
  for (const one of running) one.end();
  assert.equal(await Promise.all([...both, other]), [1, 1, 2]);
});

test('a call ends when the last of its callers has gone, and the next one is not cancelled with it', async () => {
  const { ask, running, settle } = controlled();
  const [one, two] = [new AbortController(), new AbortController()];
  const gone = [ask(one.signal), ask(two.signal)].map((call) =>
    call.catch((reason: Error) => reason.message),
  );
  await settle();
  const next = ask();
  one.abort(new Error('one went'));
  assert.is(running[0]?.signal.aborted, false);
  two.abort(new Error('two went'));
  assert.is(running[0]?.signal.aborted, true);
  assert.equal(await Promise.all(gone), ['one went', 'two went']);
  running[0]?.end(new Error('ended'));
  await settle();
  running[1]?.end();
  assert.is(await next, 2);
});

test('a caller that went before the next call began does not take it from the others', async () => {
  const { ask, running, settle } = controlled();
  const first = ask();
  await settle();
  const stop = new AbortController();
  const gone = ask(stop.signal).catch((reason: Error) => reason.message);
  stop.abort(new Error('went'));
  const next = ask();
  running[0]?.end(new Error('failed'));
  assert.is(await first.catch((fault: Error) => fault.message), 'failed');
  await settle();
  running[1]?.end();
  assert.equal([await gone, await next], ['went', 2]);
});

test.run();
