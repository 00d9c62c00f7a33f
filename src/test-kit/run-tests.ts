import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '../lib/clock/clock.ts';
import { messageOf } from '../lib/errors/coded-error.ts';
import { bundleTests, type TestBundles } from './bundle-tests.ts';
import { TestTimeoutError } from './deadline.ts';
import { ProcessorPressure } from './processor-pressure.ts';
import { Progress } from './progress.ts';
import { fileReport, listReport, slowReport, summaryOf } from './report.ts';
import { selectTestFiles } from './select.ts';
import { countsOf, type FileResult } from './tally.ts';
import { type Limits, runTestFile } from './test-process.ts';
import { inGoodOrder, isQuick, readTimes, writeTimes } from './times.ts';

export interface RunOptions {
  root: string;
  /** Files, folders or parts of file names; none for all tests. */
  args: string[];
  /** Files at a time. */
  jobs: number;
  /** npm script that runs first; when it fails the run is red, and the tests that do not need it still run. */
  prepare?: string;
  list: boolean;
  slow: boolean;
  /** Leaves out the files that take two seconds or more, and those of test-hil. */
  quick: boolean;
  /** Prints what a file writes when it writes it. */
  verbose?: boolean;
  /** Notes what each file took, for the order and the expected time of later runs. */
  writeTimes: boolean;
  limits: Limits;
  clock: Clock;
  signal: AbortSignal;
  /** Default: what the kernel counts, from the call on. */
  pressure?: () => Pick<ProcessorPressure, 'heldUp'>;
  out: (text: string) => void;
}

/** More files than these do not fail because a machine is busy. */
const MOST_AGAIN = 5;

/** The exit code of a program that SIGINT ends. */
const INTERRUPTED = 130;

/**
 * Runs test files, each in a process of its own, the quick ones first, and prints what they came to. The last line is
 * `N passed, N failed` with `, N skipped` when any are. An interrupted run says so, and which files it did not end is
 * no failure. While processes had to wait for a processor, a file in which only tests failed, or one did not end in time, is run
 * once more, alone; both reports are printed.
 *
 * @returns 0 only when at least one file was found and each registered test passed or was skipped; 130 when interrupted
 */
export async function runTests(options: RunOptions): Promise<0 | 1 | typeof INTERRUPTED> {
  const { out, clock, jobs, signal } = options;
  const { files: selected, empty } = selectTestFiles(options.root, options.args);
  const times = readTimes();
  const files = inGoodOrder(selected, times).filter((file) => !options.quick || isQuick(file, times));
  const results: FileResult[] = empty.map((name) => broken(name, `no test file was found for "${name}"`));
  if (options.prepare !== undefined) results.push(...(await prepare(options.prepare, options)));
  const bundled = await bundleTests(options.root, files);
  /** Failed files with the part of their time for which processes waited. */
  const heldUp = new Map<FileResult, number>();
  const onlyAgain: string[] = [];
  try {
    for (const result of results) out(fileReport(result));
    const progress = new Progress({ files, times, jobs, clock });
    if (!options.list) out(progress.begin());
    await inParallel(files, jobs, async (file) => {
      if (signal.aborted) return;
      const pressure = options.pressure?.() ?? new ProcessorPressure();
      const result = await runOne(file, bundled, options);
      if (signal.aborted) return;
      results.push(result);
      out(options.list ? listReport(result) : fileReport(result) + progress.ended(file));
      const share = pressure.heldUp(result.ms);
      if (share !== undefined && mayBeLate(result)) heldUp.set(result, share);
    });
    if (heldUp.size <= MOST_AGAIN && !options.list)
      for (const [first, share] of heldUp) {
        if (signal.aborted) break;
        out(
          `again, alone: ${first.file}: processes waited ${Math.round(100 * share)} % of its time for a processor\n`,
        );
        const again = await runOne(first.file, bundled, options);
        if (signal.aborted) break;
        out(fileReport(again));
        if (!isMadeGood(first, again)) continue;
        results[results.indexOf(first)] = again;
        onlyAgain.push(first.file);
      }
  } finally {
    bundled.dispose();
  }
  const unreached = files.filter((file) => !results.some((result) => result.file === file));
  if (signal.aborted) {
    out(`interrupted: ${files.length - unreached.length} of ${files.length} files were run\n`);
    close(results, options);
    return INTERRUPTED;
  }
  for (const file of unreached) results.push(broken(file, 'never reached'));
  if (onlyAgain.length > 0) out(`passed only when run again, alone: ${onlyAgain.join(', ')}\n`);
  if (options.slow) out(slowReport(results));
  if (options.writeTimes) writeTimes(results);
  return close(results, options);
}

/** Tests failed, and nothing else; what one that did not end has left behind belongs to it. */
function mayBeLate({ tests, problems }: FileResult): boolean {
  const failures = tests.flatMap(({ failure }) => failure ?? []);
  return failures.some(
    ({ message }) => problems.length === 0 || message.startsWith(`${TestTimeoutError.name}:`),
  );
}

/** Every test that had failed has passed, and no other one is missing or has failed now. */
function isMadeGood(first: FileResult, again: FileResult): boolean {
  return (
    again.problems.length === 0 &&
    again.tests.length === first.tests.length &&
    first.tests.every(({ outcome: before }, at) => {
      const after = again.tests[at]?.outcome;
      return before === 'failed' ? after === 'passed' : after === before;
    })
  );
}

async function prepare(script: string, { root, out }: RunOptions): Promise<FileResult[]> {
  try {
    const { stderr } = await promisify(execFile)('npm', ['run', '--silent', script], { cwd: root });
    out(stderr);
    return [];
  } catch (error) {
    return [broken(`npm run ${script}`, messageOf(error))];
  }
}

function close(results: FileResult[], { list, out }: RunOptions): 0 | 1 {
  const counts = countsOf(results);
  if (list) {
    const total = results.reduce((sum, { tests }) => sum + tests.length, 0);
    const problems = results.reduce((sum, result) => sum + result.problems.length, 0);
    out(`${total} tests in ${results.length} files\n`);
    return problems > 0 ? 1 : 0;
  }
  out(`${summaryOf(counts)}\n`);
  return counts.failed > 0 || counts.passed + counts.skipped === 0 ? 1 : 0;
}

async function runOne(file: string, { bundles, errors, childModule }: TestBundles, options: RunOptions) {
  const bundle = bundles.get(file);
  if (bundle === undefined) return broken(file, `the file does not build: ${errors.get(file)}`);
  try {
    return await runTestFile({
      file,
      bundle,
      childModule,
      mode: options.list ? 'list' : 'run',
      cwd: options.root,
      limits: options.limits,
      clock: options.clock,
      signal: options.signal,
      ...(options.verbose ? { hear: (line: string) => options.out(`       | ${line}\n`) } : {}),
    });
  } catch (error) {
    return broken(file, `the file's process could not be run: ${messageOf(error)}`);
  }
}

const broken = (file: string, message: string): FileResult => ({
  file,
  tests: [],
  problems: [{ message }],
  output: '',
  ms: 0,
});

async function inParallel<T>(items: T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker));
}
