import type { Failure } from './events.ts';
import { type Counts, countsOf, type FileResult } from './tally.ts';

const indent = (text: string, by: string) => text.replace(/^(?=.)/gm, by);
const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 100 ? 2 : 1)} s`;

/** One line per file, and what failed in it. */
export function fileReport(result: FileResult): string {
  const counts = countsOf([result]);
  const mark = counts.failed > 0 ? 'FAIL' : 'ok  ';
  const skips = result.tests.flatMap(({ title, skipReason }) =>
    skipReason === undefined ? [] : [`       skipped "${title}": ${skipReason}\n`],
  );
  const failed = result.tests.flatMap(({ suite, title, failure }) =>
    failure ? [failureText([suite, title].filter(Boolean).join(' > '), failure)] : [],
  );
  const problems = result.problems.map((problem) => failureText('(file)', problem));
  const output = counts.failed > 0 && result.output.trim() ? [outputText(result.output)] : [];
  const head = `${mark} ${result.file}  ${summaryOf(counts)}  ${seconds(result.ms)}\n`;
  return [head, ...skips, ...failed, ...problems, ...output].join('');
}

function failureText(title: string, { message, details, stack }: Failure): string {
  const rest = [details, stack].flatMap((text) =>
    text?.trim() ? [`${indent(text.trimEnd(), '         ')}\n`] : [],
  );
  return `     x ${title}\n${indent(message, '       ')}\n${rest.join('')}`;
}

/** Output of the test file's process: the end of it, where the cause usually stands. */
function outputText(output: string, most = 8_000): string {
  const tail = output.length > most ? `...${output.slice(-most)}` : output;
  return `     output of the file's process\n${indent(tail.trimEnd(), '       | ')}\n`;
}

/** The closing line. */
export function summaryOf({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The slowest tests, longest first. */
export function slowReport(results: FileResult[], most = 15): string {
  const timed = results.flatMap(({ file, tests }) =>
    tests.flatMap(({ title, ms }) => (ms === undefined ? [] : [{ file, title, ms }])),
  );
  const slowest = timed.sort((a, b) => b.ms - a.ms).slice(0, most);
  return [
    'slowest tests\n',
    ...slowest.map(({ file, title, ms }) => `  ${seconds(ms)}  ${file}  ${title}\n`),
  ].join('');
}

/** Titles by file, for `--list`. */
export function listReport({ file, tests, problems }: FileResult): string {
  const titles = tests.map(({ suite, title }) => `  ${[suite, title].filter(Boolean).join(' > ')}\n`);
  return [`${file}\n`, ...titles, ...problems.map((problem) => failureText('(file)', problem))].join('');
}
