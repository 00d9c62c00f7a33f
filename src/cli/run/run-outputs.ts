import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { version } from '../../lib/version.ts';
import type { RunEvent } from '../../scenario/events/event.ts';
import { writeAtomically } from '../../scenario/outputs/atomic-write.ts';
import { EventsFile } from '../../scenario/outputs/events-file.ts';
import { OutputError } from '../../scenario/outputs/output-error.ts';
import { type RunRecord, scenarioNameOf, type TestedUnit } from '../../scenario/outputs/record.ts';
import type { Result } from '../../scenario/run/result.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { RunOptions } from './run-settings.ts';
import { requireWritable } from './writable.ts';

/** The files that a run leaves behind. */
export class RunOutputs {
  readonly #files: readonly (readonly [option: string, path: string, text: Renderer])[];
  readonly #events: EventsFile | undefined;

  /** @throws CliError exit code 2 when one of the files could not be written, before anything is run */
  constructor(options: RunOptions, cwd: string) {
    const wanted = [
      ['--export-file', options.exportFile, exportsText],
      ['--junit', options.junit, junitText],
      ['--csv', options.csv, csvText],
      ['--report', options.report, reportText],
    ] as const;
    this.#files = wanted.flatMap(([option, path, text]) =>
      path === undefined ? [] : [[option, resolve(cwd, path), text] as const],
    );
    const events = options.events === undefined ? undefined : resolve(cwd, options.events);
    const paths = [...this.#files.map(([, path]) => path), ...(events === undefined ? [] : [events])];
    const twice = paths.find((path, index) => paths.indexOf(path) !== index);
    if (twice !== undefined) throw usageError(`${twice} is named for two outputs: give each its own file`);
    for (const [option, path] of this.#files) requireWritable(option, path);
    if (events !== undefined) {
      requireWritable('--events', events);
      this.#events = eventsFile(events);
    }
  }

  append(event: RunEvent): void {
    this.#events?.append(event);
  }

  /** Writes what is written at the end. @returns what could not be written; the other files are there */
  async finish(result: Result, source: Uint8Array, tested: TestedUnit): Promise<OutputError[]> {
    const faults: OutputError[] = [];
    this.#events?.close();
    if (this.#events?.fault) faults.push(this.#events.fault);
    const record = recordOf(result, source, tested);
    for (const [, path, text] of this.#files) {
      const rendered = await text(record);
      try {
        writeAtomically(path, rendered);
      } catch (thrown) {
        if (!(thrown instanceof OutputError)) throw thrown;
        faults.push(thrown);
      }
    }
    return faults;
  }
}

/** @throws CliError exit code 2: nothing has been run yet */
function eventsFile(path: string): EventsFile {
  try {
    return new EventsFile(path);
  } catch (cause) {
    if (!(cause instanceof OutputError)) throw cause;
    throw new CliError(cause.code, cause.message, EXIT.usage, { cause });
  }
}

/** A finished run with what identifies it. */
export const recordOf = (result: Result, source: Uint8Array, tested: TestedUnit): RunRecord => ({
  result,
  version,
  scenarioHash: createHash('sha256').update(source).digest('hex'),
  tested,
});

type Renderer = (record: RunRecord) => Promise<string>;

const exportsText: Renderer = async ({ result }) =>
  (await import('../../scenario/outputs/shell-exports.ts')).shellExports(result.exports);
const junitText: Renderer = async (record) =>
  (await import('../../scenario/outputs/junit.ts')).junitXml(record);
const csvText: Renderer = async (record) => {
  const { checksCsv } = await import('../../scenario/outputs/checks-csv.ts');
  return checksCsv([{ name: scenarioNameOf(record.result), record }]);
};
const reportText: Renderer = async (record) =>
  (await import('../../scenario/outputs/report/page.ts')).reportPage(record);
