import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { systemClock } from '../lib/clock/clock.ts';
import { SteppedClock } from '../lib/clock/stepped-clock.ts';
import { bundleTests, type TestBundles } from './bundle-tests.ts';
import { suite } from './suite.ts';
import { DEFAULT_LIMITS, runTestFile } from './test-process.ts';

const test = suite('process of a test file');
const root = fileURLToPath(new URL('../../', import.meta.url));
const GOOD = fileURLToPath(new URL('fixtures/good.fixture.ts', import.meta.url));

const blockFor = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const ofGood = ({ bundles, childModule }: Pick<TestBundles, 'bundles' | 'childModule'>) => ({
  file: GOOD,
  bundle: String(bundles.get(GOOD)),
  childModule,
  mode: 'run' as const,
  cwd: root,
  limits: DEFAULT_LIMITS,
  signal: new AbortController().signal,
});

test('what is read of a process after its end starts no limit: nothing is added to a result that was reported', async () => {
  const { bundles, childModule, dispose } = await bundleTests(root, [GOOD]);
  const clock = new SteppedClock();
  try {
    const running = runTestFile({ ...ofGood({ bundles, childModule }), clock });
    // The end of another process is being noticed while this one says all and ends: its end is noticed first.
    const other = spawn('/bin/echo', ['x']);
    other.stdout.once('data', () => blockFor(1500));
    blockFor(30);
    const { tests, problems } = await running;
    assert.equal(
      tests.map(({ outcome }) => outcome),
      ['passed', 'passed'],
    );
    await clock.advance(DEFAULT_LIMITS.fileMs);
    assert.equal(problems, []);
  } finally {
    dispose();
  }
});

test('what a process has said is read whole, also by a runner that stands still when it ends', async () => {
  const { bundles, childModule, dispose } = await bundleTests(root, [GOOD]);
  try {
    const running = runTestFile({ ...ofGood({ bundles, childModule }), clock: systemClock });
    const other = spawn('/bin/echo', ['x']);
    other.stdout.once('data', () => {
      blockFor(1500);
      setImmediate(() => blockFor(1500));
    });
    blockFor(30);
    const { tests, problems } = await running;
    assert.equal([tests.length, problems], [2, []]);
  } finally {
    dispose();
  }
});

test.run();
