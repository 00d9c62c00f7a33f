import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { systemClock } from '../lib/clock/clock.ts';
import { ProcessorPressure } from './processor-pressure.ts';
import { runTests } from './run-tests.ts';
import { suite } from './suite.ts';
import { DEFAULT_LIMITS, type Limits } from './test-process.ts';

const test = suite('test runner');
const root = fileURLToPath(new URL('../../', import.meta.url));
const fixtures = new URL('fixtures/', import.meta.url);

/** Runs files; `reports` are what was printed, in the order in which the files ended. */
async function run(
  args: string[],
  limits: Partial<Limits> = {},
  interruptAt?: RegExp,
  waitedShare?: number,
  verbose = false,
) {
  const reports: string[] = [];
  const interruption = new AbortController();
  const code = await runTests({
    root,
    args,
    jobs: 2,
    list: false,
    slow: false,
    quick: false,
    writeTimes: false,
    verbose,
    limits: { ...DEFAULT_LIMITS, exitGraceMs: 200, ...limits },
    clock: systemClock,
    signal: interruption.signal,
    pressure: () => ({ heldUp: () => waitedShare }),
    out: (text) => {
      reports.push(text);
      if (interruptAt?.test(text)) interruption.abort();
    },
  });
  const output = reports.join('');
  return { code, output, reports, lastLine: output.trimEnd().split('\n').at(-1) };
}

const fixture = (name: string) => fileURLToPath(new URL(`${name}.fixture.ts`, fixtures));

/** A fixture, what it must come to and what its report must say. */
const red: [name: string, counts: string, says: RegExp[], limits?: Partial<Limits>][] = [
  [
    'fails',
    '1 passed, 2 failed',
    [
      /valves > opens/,
      /open/,
      /coil 10 does not answer/,
      /caused by RangeError: late reply/,
      /\| a line of the program/,
    ],
  ],
  ['before-throws', '0 passed, 3 failed', [/before hook failed: Error: no bench/, /x one\n +never reached/]],
  ['after-throws', '1 passed, 1 failed', [/after hook failed: Error: the pump is still on/]],
  [
    'after-each-throws',
    '0 passed, 2 failed',
    [/x one\n +Error: valve left open/, /x two\n +Error: valve left open/],
  ],
  ['before-each-throws', '0 passed, 1 failed', [/Error: no lease/]],
  [
    'before-hangs',
    '0 passed, 2 failed',
    [/before hook failed: TestTimeoutError: the before hook did not end within 20 ms/],
  ],
  ['no-tests', '0 passed, 1 failed', [/the file registers no test/]],
  [
    'no-run',
    '1 passed, 2 failed',
    [/suite "second" has 1 tests and never calls run\(\)/, /is forgotten\n +never reached/],
  ],
  ['plain-uvu', '1 passed, 1 failed', [/suites that use uvu directly: 1; import suite or test from/]],
  ['empty-suite', '1 passed, 1 failed', [/suite "cases" calls run\(\) but registers no test/]],
  ['late', '1 passed, 1 failed', [/"comes too late" is registered after the file was loaded/]],
  ['only', '1 passed, 1 failed', [/left out\n +never reached/]],
  ['does-not-load', '0 passed, 2 failed', [/the file does not load: Error: no configuration/]],
  [
    'exits',
    '1 passed, 3 failed',
    [/the process ended with code 0 in "leaves" before the file was finished/, /three\n +never reached/],
  ],
  [
    'exits-while-loading',
    '0 passed, 1 failed',
    [/the process ended with code 0 before the file was finished/],
  ],
  ['killed', '0 passed, 2 failed', [/the process was ended by SIGKILL in "dies"/]],
  ['exit-code', '1 passed, 1 failed', [/the process ended with code 3 although every test passed/]],
  ['hangs', '1 passed, 1 failed', [/"never ends" did not end within 20 ms/]],
  ['blocks', '0 passed, 2 failed', [/"spins" blocked the process and was ended/], { blockedMs: 100 }],
  ['load-hangs', '0 passed, 1 failed', [/the file was not loaded within 500 ms/], { loadMs: 500 }],
  ['handle-left', '1 passed, 1 failed', [/handles open that keep its process alive: .*TCPServerWrap/]],
  ['process-left', '1 passed, 1 failed', [/the file left a process behind: \d+ .*setInterval/]],
  ['output-held', '1 passed, 1 failed', [/the file left a process behind: \d+ .*setInterval/]],
  ['rejection', '1 passed, 1 failed', [/x forgets to await\n +Error: nobody waits for me/]],
  ['rejection-late', '1 passed, 1 failed', [/unhandled rejection: Error: too late to be caught/]],
  ['exception', '1 passed, 1 failed', [/x throws in a timer\n +Error: outside of any promise/]],
];

/** Reports of the fixtures that need no limits of their own: run together, since each takes a process. */
let reports: string[] = [];
test.before(
  async () => {
    const together = red.filter(([, , , limits]) => limits === undefined);
    ({ reports } = await run(together.map(([name]) => fixture(name))));
  },
  { timeoutMs: 120_000 },
);

for (const [name, counts, says, limits] of red) {
  test(`is red: ${name}`, async () => {
    const printed = limits ? (await run([fixture(name)], limits)).reports : reports;
    const report = String(printed.find((text) => text.includes(`/${name}.fixture.ts`)));
    assert.ok(report.startsWith('FAIL '), report);
    assert.is(report.split('  ')[1], counts, report);
    for (const pattern of says) assert.match(report, pattern);
  });
}

test('is green: tests with hooks and context', async () => {
  const { code, lastLine, output } = await run([fixture('good')]);
  assert.is(lastLine, '2 passed, 0 failed', output);
  assert.is(code, 0);
});

test('is green: files that look for their neighbours', async () => {
  const { lastLine, output } = await run([fixture('source-location')]);
  assert.is(lastLine, '2 passed, 0 failed', output);
});

test('what a file writes is printed when it comes, if that is asked for, and its report follows', async () => {
  const { reports } = await run([fixture('fails')], {}, undefined, undefined, true);
  const heard = reports.indexOf('       | a line of the program under test\n');
  const report = reports.findIndex((text) => text.startsWith('FAIL'));
  assert.ok(heard >= 0 && heard < report, reports.join(''));
});

test('is green: skipped tests, with their reasons and their count', async () => {
  const { code, lastLine, output } = await run([fixture('skips')]);
  assert.match(output, 'skipped "waits for a part": no mbpoll on this machine');
  assert.match(output, 'skipped "meets a device": no i2c adapter');
  assert.match(output, 'skipped "in the style of uvu": no reason given');
  assert.is(lastLine, '2 passed, 0 failed, 3 skipped', output);
  assert.is(code, 0);
});

test('is green: a file whose parts are all missing is skipped, not failed', async () => {
  const { code, lastLine } = await run([fixture('only-skips')]);
  assert.is(lastLine, '0 passed, 0 failed, 1 skipped');
  assert.is(code, 0);
});

test('a red file among green ones makes the run red and hides none of them', async () => {
  const { code, lastLine, output } = await run([fixture('good'), fixture('exits'), fixture('skips')]);
  assert.is(lastLine, '5 passed, 3 failed, 3 skipped', output);
  assert.is(code, 1);
});

test('is red: nothing matches', async () => {
  const { code, lastLine, output } = await run(['no-such-test-anywhere', fixture('good')]);
  assert.match(output, 'no test file was found for "no-such-test-anywhere"');
  assert.is(lastLine, '2 passed, 1 failed');
  assert.is(code, 1);
});

test('is red: an empty folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'empty-'));
  try {
    const { code, lastLine } = await run([folder]);
    assert.is(lastLine, '0 passed, 1 failed');
    assert.is(code, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('is red: a file that does not build, without harm to the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'broken-'));
  try {
    writeFileSync(join(folder, 'broken.test.ts'), "import { gone } from './gone.ts';\ngone();\n");
    const { code, lastLine, output } = await run([join(folder, 'broken.test.ts'), fixture('good')]);
    assert.match(output, /the file does not build: [\s\S]*gone\.ts/);
    assert.is(lastLine, '2 passed, 1 failed');
    assert.is(code, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an interrupted run says so, and counts no test that it did not come to', async () => {
  const files = [fixture('good'), fixture('load-hangs'), fixture('skips')];
  const { code, lastLine, output } = await run(files, {}, /good\.fixture/);
  assert.match(output, /\ninterrupted: 1 of 3 files were run\n/);
  assert.is(lastLine, '2 passed, 0 failed');
  assert.is(code, 130);
});

for (const [title, waitedShare, isSkippedLater, code, closing] of [
  ['on a busy machine is run again, alone, and both reports are printed', 0.45, '', 0, '2 passed, 0 failed'],
  ['and skips a test when it is run again stays red', 0.45, '1', 1, '1 passed, 1 failed'],
  ['on a machine with time is red', undefined, '', 1, '1 passed, 1 failed'],
] as const)
  test(`a file that fails once ${title}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'once-'));
    process.env.RIG_TEST_FAILED_ONCE = join(folder, 'mark');
    process.env.RIG_TEST_SKIPPED_LATER = isSkippedLater;
    try {
      const { output, ...ended } = await run([fixture('fails-once')], {}, undefined, waitedShare);
      assert.equal([ended.code, ended.lastLine], [code, closing], output);
      assert.match(output, /x fails once > is in time\n +Error: too late/);
      assert.is(
        /again, alone: .*fails-once.* waited 45 % of its/.test(output),
        waitedShare !== undefined,
        output,
      );
      assert.is(/passed only when run again, alone: .*fails-once/.test(output), code === 0, output);
    } finally {
      delete process.env.RIG_TEST_FAILED_ONCE;
      delete process.env.RIG_TEST_SKIPPED_LATER;
      rmSync(folder, { recursive: true });
    }
  });

test('what a test leaves behind that did not end in time belongs to it: its file is run again too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'late-'));
  process.env.RIG_TEST_FAILED_ONCE = join(folder, 'mark');
  try {
    const { code, output, lastLine } = await run([fixture('late-once')], {}, undefined, 0.9);
    assert.match(output, 'the file left a process behind');
    assert.equal([code, lastLine], [0, '1 passed, 0 failed'], output);
  } finally {
    delete process.env.RIG_TEST_FAILED_ONCE;
    rmSync(folder, { recursive: true });
  }
});

test('a process that is left behind is red on a busy machine too, and more than five files are not run again', async () => {
  const left = await run([fixture('process-left')], {}, undefined, 0.9);
  assert.is(left.code, 1);
  assert.not.match(left.output, 'again, alone');
  const folder = mkdtempSync(join(tmpdir(), 'many-'));
  try {
    const text = readFileSync(fixture('fails'), 'utf8').replaceAll("'../", `'${root}src/test-kit/`);
    const files = [1, 2, 3, 4, 5, 6].map((n) => join(folder, `many-${n}.test.ts`));
    for (const file of files) writeFileSync(file, text);
    const many = await run(files, {}, undefined, 0.9);
    assert.is(many.code, 1);
    assert.not.match(many.output, 'again, alone');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the kernel counts microseconds for which processes waited', () => {
  for (const [waitedUs, tookMs, share] of [
    [450_000, 1000, 0.45],
    [190_000, 1000, undefined],
    [2_000_000, 1000, 1],
    [undefined, 1000, undefined],
  ] as const) {
    let isLater = false;
    const pressure = new ProcessorPressure(() =>
      waitedUs === undefined ? undefined : isLater ? 5_000_000 + waitedUs : 5_000_000,
    );
    isLater = true;
    assert.is(pressure.heldUp(tookMs), share);
  }
});

test('a file that fails twice on a busy machine is red', async () => {
  const { code, lastLine } = await run([fixture('fails')], {}, undefined, 0.9);
  assert.equal([code, lastLine], [1, '1 passed, 2 failed']);
});

test('a failure names the line of the source', async () => {
  const { output } = await run([fixture('fails')]);
  assert.match(output, /fixtures\/fails\.fixture\.ts:6/);
});

const command = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', join(root, 'src/test-kit/run.ts'), ...args], {
    encoding: 'utf8',
    cwd: root,
  });

test('the command ends with the closing line and the verdict as its exit code', () => {
  const good = command(fixture('good'));
  assert.match(good.stdout, /\n2 passed, 0 failed\n$/);
  assert.is(good.status, 0);
  const bad = command(fixture('exits'));
  assert.match(bad.stdout, /\n1 passed, 3 failed\n$/);
  assert.is(bad.status, 1);
});

test('a preparation that fails makes the run red and the tests run all the same', () => {
  const { stdout, status } = command('--prepare=no-such-script', fixture('good'));
  assert.match(stdout, /npm run no-such-script {2}0 passed, 1 failed/);
  assert.match(stdout, /\n2 passed, 1 failed\n$/);
  assert.is(status, 1);
});

test('the command lists titles without running a test', () => {
  const { stdout, status } = command('--list', fixture('exits'), fixture('good'));
  assert.match(stdout, /good > hooks run before a test/);
  assert.match(stdout, /\n {2}leaves\n/);
  assert.match(stdout, /\n5 tests in 2 files\n$/);
  assert.is(status, 0);
});

test('a test file that runs without the runner fails for a failed hook', () => {
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', fixture('before-hangs')], {
    encoding: 'utf8',
    cwd: root,
  });
  assert.match(stdout, /the before hook did not end within 20 ms/);
  assert.is(status, 1);
});

test.run();
