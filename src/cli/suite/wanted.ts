import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { decode } from '../../scenario/source/decode.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import type { Io } from '../io/io.ts';
import type { GivenVariables } from '../options/given-variables.ts';
import { readLimited } from '../source/read-file.ts';
import { isUrl } from '../source/scenario-source.ts';
import { readSuite } from './suite-file.ts';

/** A scenario that is to be run as one of several. */
export interface WantedScenario {
  /** Path from the working directory, address, or `-`. */
  readonly source: string;
  /** As the suite names it; undefined: by its SCENARIO line. */
  readonly name?: string;
  readonly variables: GivenVariables;
  /** Where it was asked for, for messages: `suite.yaml:4:5`, or its name on the command line. */
  readonly place: string;
}

/** Scenarios that are run one after the other under one verdict. */
export interface WantedSuite {
  readonly name: string;
  /** Undefined when the command line names the scenarios. */
  readonly file?: string;
  readonly stopOnFail: boolean;
  readonly scenarios: readonly WantedScenario[];
}

const MOST_BYTES = 1024 * 1024;

const isSuiteFile = (name: string): boolean => /\.ya?ml$/i.test(name);

/**
 * What an invocation asks for. @returns undefined for one scenario, which is run as itself
 * @throws CliError exit code 2
 */
export function wantedSuite(
  names: readonly string[],
  stopOnFail: boolean,
  { cwd }: Io,
): WantedSuite | undefined {
  const file = names.find(isSuiteFile);
  if (file !== undefined) {
    if (names.length > 1)
      throw usageError(`${file} is a suite: run it alone, or name the scenarios without it`);
    return suiteOf(file, stopOnFail, cwd);
  }
  if (names.length === 1) return undefined;
  if (names.filter((name) => name === '-').length > 1)
    throw usageError('- (standard input) is named twice: it can be read once');
  const scenarios = names.map((source) => ({ source, variables: {}, place: source }));
  return { name: `${names.length} scenarios`, stopOnFail, scenarios };
}

function suiteOf(file: string, stopOnFail: boolean, cwd: string): WantedSuite {
  if (isUrl(file))
    throw usageError(`${file}: a suite is read from this machine: download it with its scenarios`);
  const {
    name = basename(file).replace(/\.[^.]*$/, ''),
    stop_on_fail,
    scenarios,
  } = readSuite(textOf(file, cwd), file);
  return {
    name,
    file,
    stopOnFail: stopOnFail || stop_on_fail,
    scenarios: scenarios.map(({ scenario, ...entry }) => ({
      ...entry,
      source: pathFrom(file, scenario, entry.place),
    })),
  };
}

/** @throws CliError for what a suite cannot hold */
function pathFrom(file: string, scenario: string, place: string): string {
  if (isSuiteFile(scenario))
    throw new CliError('suite_invalid', `${place}: ${scenario} is a suite: a suite names scenarios`);
  if (scenario === '-')
    throw new CliError('suite_invalid', `${place}: - (standard input) has no place in a suite: name a file`);
  return isUrl(scenario) || isAbsolute(scenario) ? scenario : join(dirname(file), scenario);
}

function textOf(file: string, cwd: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readLimited(resolve(cwd, file));
  } catch (cause) {
    throw new CliError(
      'source_unreadable',
      `cannot read ${file}: ${reasonOf(cause)}; check the path`,
      undefined,
      {
        cause,
      },
    );
  }
  if (bytes.byteLength > MOST_BYTES)
    throw new CliError('suite_invalid', `${file} is larger than 1 MiB: split the suite`);
  const decoded = decode(bytes);
  if ('text' in decoded) return decoded.text;
  throw new CliError('suite_invalid', `${file}: ${decoded.detail}; save the suite as UTF-8`);
}
