import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { SteppedClock } from '../clock/stepped-clock.ts';
import { type JobEnd, JobQueue } from './job-queue.ts';

const test = suite('job queue');

class Ended extends Error {
  readonly end: JobEnd;
  constructor(end: JobEnd) {
    super(end);
    this.end = end;
  }
}

function bench(limit = 3) {
  const clock = new SteppedClock();
  const log: string[] = [];
  const queue = new JobQueue({ clock, limit, deadlineMs: 1000, describe: (end) => new Ended(end) });
  const job = (name: string, options = {}, ms = 10) =>
    queue
      .run(async (signal) => {
        log.push(`${name} starts`);
        await clock.sleep(ms, signal);
        log.push(`${name} ends`);
        return name;
      }, options)
      .catch((error: Ended) => {
        log.push(`${name} ${error.end}`);
      });
  return { clock, log, queue, job };
}

test('runs one job at a time in order of arrival', async () => {
  const { clock, log, job } = bench();
  void job('a');
  void job('b');
  await clock.advance(50);
  assert.equal(log, ['a starts', 'a ends', 'b starts', 'b ends']);
  assert.is(clock.pending, 0);
});

test('DEV-056 a low job lets everything else that waits go ahead, and is not interrupted by it', async () => {
  const { clock, log, job } = bench();
  void job('low', { priority: 'low' });
  void job('low 2', { priority: 'low' });
  void job('a');
  void job('b');
  await clock.advance(100);
  assert.equal(
    log.filter((line) => line.endsWith('ends')),
    ['low ends', 'a ends', 'b ends', 'low 2 ends'],
  );
});

test('DEV-044 a safe job interrupts the running one and goes ahead of all that wait', async () => {
  const { clock, log, job } = bench();
  void job('running');
  void job('read');
  void job('open valve', { actuates: true });
  void job('safe', { priority: 'safe' });
  void job('safe 2', { priority: 'safe' });
  await clock.advance(100);
  assert.equal(log, [
    'running starts',
    'open valve superseded',
    'running superseded',
    'safe starts',
    'safe ends',
    'safe 2 starts',
    'safe 2 ends',
    'read starts',
    'read ends',
  ]);
});

test('a full queue refuses normal jobs and never safe ones', async () => {
  const { clock, log, job } = bench(1);
  void job('a');
  void job('b');
  void job('c');
  await clock.advance(0);
  assert.equal(log, ['a starts', 'c full']);
  void job('safe', { priority: 'safe' });
  await clock.advance(100);
  assert.ok(log.includes('safe ends'));
});

test('a waiting job ends at its deadline without having run; a running one is interrupted', async () => {
  const { clock, log, job } = bench();
  void job('long', { deadlineMs: 60 }, 500);
  void job('waits', { deadlineMs: 50 });
  await clock.advance(100);
  assert.equal(log, ['long starts', 'waits expired_waiting', 'long expired_running']);
  assert.is(clock.pending, 0);
});

test('a caller cancels a waiting job and a running one', async () => {
  const { clock, log, job } = bench();
  const first = new AbortController();
  const second = new AbortController();
  void job('a', { signal: first.signal });
  void job('b', { signal: second.signal });
  await clock.advance(1);
  second.abort();
  first.abort();
  await clock.advance(100);
  assert.equal(log, ['a starts', 'b aborted', 'a aborted']);
});

test('close refuses what waits, interrupts what runs, and takes nothing more', async () => {
  const { clock, log, queue, job } = bench();
  void job('a');
  void job('b');
  await clock.advance(1);
  queue.close();
  await clock.advance(1);
  void job('c');
  await clock.advance(100);
  assert.equal(log, ['a starts', 'b closed', 'a closed', 'c closed']);
  assert.is(clock.pending, 0);
});

test.run();
