import { readFileSync, writeFileSync } from 'node:fs';
import type { FileResult } from './tally.ts';

/** Seconds that a test file takes, for those that take `SLOW_S` or more; by path from the project's root. */
export type Times = Readonly<Record<string, number>>;

const FILE = new URL('slow-tests.json', import.meta.url);
const SLOW_S = 2;
/** What a file that is not slow takes on average. */
const QUICK_S = 0.4;

/** As measured when `--write-times` was given last; a file that is not in it counts as quick. */
export function readTimes(): Times {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Times;
}

export function writeTimes(results: readonly FileResult[]): void {
  const slow = results
    .filter(({ ms }) => ms >= SLOW_S * 1000)
    .map(({ file, ms }) => [file, Math.round(ms / 1000)] as const)
    .sort(([one], [other]) => one.localeCompare(other));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(slow), null, 2)}\n`);
}

/** Whole programs, browsers and machines. */
const HIL = 'test-hil/';

/** Below two seconds, and without a whole program, a browser or a machine that it has to wait for. */
export const isQuick = (file: string, times: Times): boolean =>
  times[file] === undefined && !file.startsWith(HIL);

/** The quick ones first, so that most of what is broken is seen soon; then the longest first, so that no core waits at the end. */
export function inGoodOrder(files: readonly string[], times: Times): string[] {
  return [
    ...files.filter((file) => isQuick(file, times)),
    ...files.filter((file) => !isQuick(file, times)).sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0)),
  ];
}

/** Expected seconds of `files`, so many at a time. */
export function expectedS(files: readonly string[], times: Times, jobs: number): number {
  const seconds = files.map((file) => times[file] ?? QUICK_S);
  return Math.max(seconds.reduce((sum, one) => sum + one, 0) / jobs, ...seconds, 0);
}
