import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { ActuationQueue } from './actuation-queue.ts';
import type { RigError } from './rig-error.ts';

const test = suite('actuation queue');

/** A task that ends when told, and notes what happened to it. */
function held(log: string[], name: string) {
  let end = () => {};
  const task = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      log.push(`start ${name}`);
      end = () => resolve(name);
      signal.addEventListener('abort', () => {
        log.push(`abort ${name}`);
        reject(signal.reason);
      });
    });
  return { task, end: () => end() };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: RigError) => error.code,
  );
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('one at a time, in order, and a failure does not stop the next', async () => {
  const queue = new ActuationQueue('modbus-io');
  const log: string[] = [];
  const a = held(log, 'a');
  const first = queue.run(a.task);
  const second = codeOf(queue.run(() => Promise.reject(new Error('no'))));
  const third = queue.run(async () => 'c');
  await turn();
  assert.equal(log, ['start a']);
  a.end();
  assert.is(await first, 'a');
  await second;
  assert.is(await third, 'c');
});

test('SVC-039 superseding ends all that waits without sending it and makes what runs stop', async () => {
  const queue = new ActuationQueue('modbus-io');
  const log: string[] = [];
  const running = codeOf(queue.run(held(log, 'a').task));
  const waiting = codeOf(queue.run(held(log, 'b').task));
  await turn();
  queue.supersede('the safe state');
  assert.is(await running, 'superseded');
  assert.is(await waiting, 'superseded');
  await turn();
  assert.equal(log, ['start a', 'abort a']);
  assert.is(await queue.run(async () => 'later'), 'later');
});

test('a task that ignores its signal still answers superseded at once and blocks its successor until it ends', async () => {
  const queue = new ActuationQueue('modbus-io');
  let end = () => {};
  const stubborn = codeOf(
    queue.run(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    ),
  );
  await turn();
  queue.supersede('the safe state');
  assert.is(await stubborn, 'superseded');
  let next = false;
  const after = queue.run(async () => {
    next = true;
  });
  await turn();
  assert.is(next, false);
  end();
  await after;
  assert.is(next, true);
});

test('a caller who goes away while waiting is not served; one being served is', async () => {
  const queue = new ActuationQueue('modbus-io');
  const log: string[] = [];
  const gone = new AbortController();
  const a = held(log, 'a');
  const first = queue.run(a.task, gone.signal);
  const second = queue.run(held(log, 'b').task, gone.signal).catch(() => 'gone');
  await turn();
  gone.abort();
  assert.is(await second, 'gone');
  a.end();
  assert.is(await first, 'a');
  assert.equal(log, ['start a']);
});

test('the seventeenth waiting actuation is refused as busy', async () => {
  const queue = new ActuationQueue('modbus-io');
  const all = Array.from({ length: 18 }, () => codeOf(queue.run(() => new Promise(() => {}))));
  await turn();
  assert.is(await all[17], 'device_busy');
  queue.supersede('the end');
  assert.is(await all[16], 'superseded');
});

test.run();
