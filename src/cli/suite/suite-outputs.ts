import { mkdirSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { writeAtomically } from '../../scenario/outputs/atomic-write.ts';
import { OutputError } from '../../scenario/outputs/output-error.ts';
import type { TestedUnit } from '../../scenario/outputs/record.ts';
import { usageError } from '../errors/cli-error.ts';
import { RunOutputs } from '../run/run-outputs.ts';
import type { RunOptions } from '../run/run-settings.ts';
import { requireWritable } from '../run/writable.ts';
import { reportEntry, type ScenarioEnd } from './suite-result.ts';

/** Options that name one file for each scenario, and what it ends with. */
const PER_RUN = [
  ['--report', 'report', '.html'],
  ['--events', 'events', '.ndjson'],
  ['--export-file', 'exportFile', '.sh'],
] as const;

/** The files that a suite leaves behind: `--junit` and `--csv` hold all, the others are a folder with one for each. */
export class SuiteOutputs {
  readonly #options: RunOptions;
  readonly #cwd: string;
  readonly #count: number;

  /** @throws CliError exit code 2 when one of them could not be written, before anything is run */
  constructor(options: RunOptions, count: number, cwd: string) {
    this.#options = options;
    this.#cwd = cwd;
    this.#count = count;
    const files = [options.junit, options.csv].flatMap((path) =>
      path === undefined ? [] : [resolve(cwd, path)],
    );
    if (new Set(files).size < files.length)
      throw usageError(`${files[0]} is named for two outputs: give each its own file`);
    if (options.junit !== undefined) requireWritable('--junit', resolve(cwd, options.junit));
    if (options.csv !== undefined) requireWritable('--csv', resolve(cwd, options.csv));
    for (const [option, key] of PER_RUN) {
      const folder = options[key];
      if (folder !== undefined) requireFolder(option, folder, resolve(cwd, folder), count);
    }
  }

  /** The files of one run: `02-leak.html`. @param index from 0 @throws CliError */
  ofRun(index: number, name: string): RunOutputs {
    const digits = Math.max(2, String(this.#count).length);
    const stem = `${String(index + 1).padStart(digits, '0')}-${slug(name)}`;
    const { junit: _, csv: __, ...options } = this.#options;
    const own = Object.fromEntries(
      PER_RUN.flatMap(([, key, end]) => {
        const folder = options[key];
        return folder === undefined ? [] : [[key, join(folder, stem + end)]];
      }),
    );
    return new RunOutputs({ ...options, ...own }, this.#cwd);
  }

  /** Writes what holds all scenarios. @returns what could not be written */
  async finish(name: string, ends: readonly ScenarioEnd[], tested: TestedUnit): Promise<OutputError[]> {
    const { junit, csv } = this.#options;
    const entries = ends.map((end) => reportEntry(end, tested));
    const faults: OutputError[] = [];
    const write = (path: string, text: string) => {
      try {
        writeAtomically(resolve(this.#cwd, path), text);
      } catch (thrown) {
        if (!(thrown instanceof OutputError)) throw thrown;
        faults.push(thrown);
      }
    };
    if (junit !== undefined) {
      const { junitOfSuite } = await import('../../scenario/outputs/junit.ts');
      write(junit, junitOfSuite(name, entries));
    }
    if (csv !== undefined) {
      const { checksCsv } = await import('../../scenario/outputs/checks-csv.ts');
      write(csv, checksCsv(entries));
    }
    return faults;
  }
}

/** Makes the folder where it is missing. @throws CliError for what names one file */
function requireFolder(option: string, given: string, path: string, count: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const isFile = found ? !found.isDirectory() : extname(path) !== '' && !/[/\\]$/.test(given);
  if (isFile)
    throw usageError(
      `${option} ${given} names one file, and ${count} scenarios are run: name a folder, for example ${option} results/`,
    );
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw usageError(`${option} ${given}: the folder cannot be made (${reasonOf(cause)}); name another one`);
  }
  requireWritable(option, join(path, 'x'));
}

/** A name as part of a file name. */
const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60)
    .toLowerCase() || 'scenario';
