import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { codeOf, inFolder, type TestFolder } from '../../test-kit/window/folder.ts';
import { motley } from '../../test-kit/window/pictures.ts';
import type { Job } from '../operations/job.ts';
import { requestOf } from '../operations/request.ts';
import { PROGRAM_BYTES, THREAD_BYTES } from './demand.ts';
import { type PoolOptions, ThreadPool } from './pool.ts';

const test = suite('threads');

const SLOW = { timeoutMs: 120_000 };

/** A thread's program, built as the service's is. */
async function entryIn({ file }: TestFolder): Promise<URL> {
  const outfile = file('thread.cjs');
  await build({
    stdin: {
      contents: "import { runThread } from './src/window/worker/thread.ts'; runThread();",
      resolveDir: process.cwd(),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    outfile,
    logLevel: 'silent',
  });
  return pathToFileURL(outfile);
}

const withPool = (
  options: Partial<PoolOptions>,
  work: (pool: ThreadPool, folder: TestFolder) => Promise<void>,
): Promise<void> =>
  inFolder(async (folder) => {
    const settings = { cwd: folder.path, home: folder.path, stateDir: folder.file('state') };
    const pool = new ThreadPool({
      entry: await entryIn(folder),
      settings,
      clock: systemClock,
      size: 2,
      memoryBytes: 400 * 1024 * 1024,
      ...options,
    });
    try {
      await work(pool, folder);
    } finally {
      await pool.close();
    }
  });

/** The most jobs that are done at a time until all are done. */
async function mostBusy(pool: ThreadPool, running: readonly Promise<object>[]): Promise<number> {
  let most = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      most = Math.max(most, pool.state().busy);
      await systemClock.sleep(1);
    }
  })();
  await Promise.all(running).finally(() => {
    isDone = true;
  });
  await watching;
  return most;
}

const analyze = (file: string): Job => ({
  kind: 'analyze',
  request: requestOf('analyze', { image: 'a.png', file }),
});

test(
  'a job gives the same document in a thread as in this one, and an error keeps its code',
  () =>
    withPool({}, async (pool, { png, perform, file }) => {
      png('a.png', motley(200, 100));
      const document = await pool.run(analyze('p.json'));
      const again = await perform('analyze', { image: 'a.png', file: 'p.json' });
      assert.is(
        JSON.stringify({ ...document, skipped_adopt: 0, similarity: 0 }),
        JSON.stringify({ ...again, skipped_adopt: 0, similarity: 0 }),
      );
      assert.match(readFileSync(file('p.json'), 'utf8'), '"version": "1.0"');
      const missing: Job = { kind: 'summary', request: requestOf('summary', { file: 'none.json' }) };
      assert.is(await codeOf(pool.run(missing)), 'program_not_found');
    }),
  SLOW,
);

test(
  'WIN-021 no more than the threads and the queue are taken; the next one is busy, with a time to come again',
  () =>
    withPool({ size: 1, queueLimit: 2 }, async (pool, { png }) => {
      png('a.png', motley(600, 400));
      const running = [1, 2, 3].map((one) => pool.run(analyze(`${one}.json`)));
      while (pool.state().busy === 0) await systemClock.sleep(1);
      assert.equal(pool.state(), { size: 1, threads: 1, busy: 1, waiting: 2 });
      await pool.run(analyze('4.json')).then(
        () => assert.unreachable('a fourth job was taken'),
        (error: { code: string; members: { retry_after_s: number } }) =>
          assert.equal([error.code, error.members.retry_after_s > 0], ['busy', true]),
      );
      assert.is((await Promise.all(running)).length, 3);
      assert.is(await codeOf(pool.run(analyze('5.json'))), '');
    }),
  SLOW,
);

test(
  'WIN-034 a job that does not end in its time is an analysis_timeout, and the next one has a new thread',
  () =>
    withPool({ size: 1, jobLimitMs: 1 }, async (pool, { png }) => {
      png('a.png', motley(800, 600));
      assert.is(await codeOf(pool.run(analyze('1.json'))), 'analysis_timeout');
      assert.is(pool.state().busy, 0);
      assert.is(await codeOf(pool.run(analyze('2.json'))), 'analysis_timeout');
    }),
  SLOW,
);

test(
  'WIN-021 threads have less priority than the event loop',
  () =>
    withPool({ size: 1 }, async (pool, { png }) => {
      if (process.platform !== 'linux') return;
      png('a.png', motley(60, 40));
      await pool.run(analyze('1.json'));
      // The fields after the name, which may hold blanks; nice is the 19th of all.
      const niceOf = (task: string) =>
        Number(
          readFileSync(`/proc/self/task/${task}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[16],
        );
      const own = niceOf(String(process.pid));
      const others = readdirSync('/proc/self/task').filter((task) => niceOf(task) > own);
      assert.ok(others.length >= 1, `all threads have nice ${own}`);
    }),
  SLOW,
);

test(
  'a waiting job is given up by its signal; threads without work end and come back',
  () =>
    withPool({ size: 1, idleMs: 1 }, async (pool, { png }) => {
      png('a.png', motley(300, 200));
      const gone = new AbortController();
      const first = pool.run(analyze('1.json'));
      const second = pool.run(analyze('2.json'), gone.signal);
      gone.abort(new Error('the client went away'));
      assert.match(await codeOf(second), 'the client went away');
      await first;
      while (pool.state().threads > 0) await systemClock.sleep(5);
      assert.is(await codeOf(pool.run(analyze('3.json'))), '');
    }),
  SLOW,
);

test(
  'images that are too large for the memory together are looked at one after the other, and none is refused',
  () =>
    // Room for two threads and one of these images, which take 9 bytes a pixel.
    withPool({ memoryBytes: PROGRAM_BYTES + 2 * THREAD_BYTES + 3_000_000 }, async (pool, { png }) => {
      png('a.png', motley(600, 400));
      const running = [1, 2, 3, 4].map((one) => pool.run(analyze(`${one}.json`)));
      const most = await mostBusy(pool, running);
      assert.is(most, 1);
    }),
  SLOW,
);

test(
  'with memory enough they are looked at together',
  () =>
    withPool({}, async (pool, { png }) => {
      png('a.png', motley(600, 400));
      const most = await mostBusy(
        pool,
        [1, 2, 3, 4].map((one) => pool.run(analyze(`${one}.json`))),
      );
      assert.is(most, 2);
    }),
  SLOW,
);

test(
  'texts are read in one thread, and what reads none has another one meanwhile',
  () =>
    withPool({ size: 3 }, async (pool, { png }) => {
      png('a.png', motley(200, 100));
      const read: Job = { kind: 'diagnose', request: requestOf('diagnose', { image: 'a.png' }) };
      await mostBusy(pool, [pool.run(read), pool.run(read), pool.run(read)]);
      assert.is(pool.state().threads, 1);
      const running = [pool.run(read), pool.run(read), pool.run(analyze('1.json'))];
      assert.is(await mostBusy(pool, running), 2);
      assert.is(pool.state().threads, 2);
    }),
  SLOW,
);

test(
  'a thread that keeps more memory than it may ends after its job, and the next job has a new one',
  () =>
    withPool({ size: 1, keptBytes: 1, idleMs: 600_000 }, async (pool, { png }) => {
      png('a.png', motley(60, 40));
      await pool.run(analyze('1.json'));
      while (pool.state().threads > 0) await systemClock.sleep(5);
      assert.is(await codeOf(pool.run(analyze('2.json'))), '');
    }),
  SLOW,
);

test('a closed pool refuses', () =>
  withPool({}, async (pool) => {
    await pool.close();
    assert.is(await codeOf(pool.run(analyze('1.json'))), 'busy');
  }));

test.run();
