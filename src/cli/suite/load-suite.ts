import { hasErrors } from '../../scenario/load.ts';
import { givenVariable } from '../../scenario/run/variables.ts';
import type { CheckedScenario } from '../../scenario/safety/load-checked.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import type { Io } from '../io/io.ts';
import { type GivenVariables, givenVariables } from '../options/given-variables.ts';
import { libraryRoot } from '../options/library.ts';
import { rigSettings } from '../rig/rig-settings.ts';
import { loadForRun } from '../run/checked-run.ts';
import { requireKnownSensors } from '../run/known-sensors.ts';
import type { RunRequest } from '../run/perform-run.ts';
import type { RunOptions } from '../run/run-settings.ts';
import { readSource } from '../source/read-source.ts';
import { sourcesOf } from '../source/recording-loader.ts';
import { leftOutBy } from './select.ts';
import type { WantedScenario, WantedSuite } from './wanted.ts';

/** A scenario of a suite, read and checked. */
export interface LoadedScenario {
  /** Reports the scenarios of a suite apart. */
  readonly name: string;
  readonly request: RunRequest;
  readonly loaded: CheckedScenario;
  /** Why it is not to be run; undefined when it is. */
  readonly leftOut: string | undefined;
}

export interface LoadedSuite extends Omit<WantedSuite, 'scenarios'> {
  readonly scenarios: readonly LoadedScenario[];
}

/**
 * Reads and checks all scenarios; nothing is asked of the rig. Findings stay with their scenario.
 * @throws CliError exit code 2 for what cannot be read, distinguished or selected
 */
export async function loadSuite(wanted: WantedSuite, options: RunOptions, io: Io): Promise<LoadedSuite> {
  const rig = await rigSettings(io);
  const root = libraryRoot(options.library, io);
  const given = givenVariables(options, io);
  const read: { one: WantedScenario; request: RunRequest; loaded: CheckedScenario }[] = [];
  for (const one of wanted.scenarios) {
    const source = await readPlaced(one, wanted, io);
    const own: RunOptions = { ...options, ...variablesOf(one, given) };
    const request: RunRequest = { source, sources: sourcesOf(source, root), rig, options: own };
    read.push({ one, request, loaded: loadForRun(request) });
  }
  const names = namesOf(
    read.map(({ one, loaded }) => ({ ...one, title: loaded.program.scenario })),
    wanted.file !== undefined,
  );
  requireSensors(
    read.map(({ request }) => request),
    options,
  );
  // A broken scenario has no list of goals: its errors are reported first.
  const isBroken = read.some(({ loaded }) => hasErrors(loaded.diagnostics));
  const selectBy = isBroken && options.tag ? { tag: options.tag } : isBroken ? {} : options;
  const selectable = read.map(({ loaded }, index) => ({ name: names[index] ?? '', program: loaded.program }));
  const reasons = leftOutBy(selectable, selectBy);
  const scenarios = read.map(({ request, loaded }, index) => ({
    name: names[index] ?? '',
    request,
    loaded,
    leftOut: reasons[index],
  }));
  return { ...wanted, scenarios };
}

/** @throws CliError with the place in the suite that names what cannot be read */
async function readPlaced({ source, place }: WantedScenario, { file }: WantedSuite, io: Io) {
  try {
    return await readSource(source, io);
  } catch (thrown) {
    if (file === undefined || !(thrown instanceof CliError)) throw thrown;
    throw new CliError(thrown.code, `${place}: ${thrown.message}`, thrown.exitCode, { cause: thrown });
  }
}

/** As on the command line: `--var HIGH=15 mbar`; a value of `--vars` may have its unit apart. */
function shownOption(name: string, given: GivenVariables[string] | undefined): string {
  const { value, unit } = givenVariable(given ?? '');
  return `--var ${name}=${String(value)}${unit === undefined ? '' : ` ${unit}`}`;
}

/** @throws CliError when suite and command line give one name */
function variablesOf(
  { variables, place }: WantedScenario,
  given: GivenVariables = {},
): Pick<RunOptions, 'var'> {
  const twice = Object.keys(given).find((name) => Object.hasOwn(variables, name));
  if (twice !== undefined)
    throw usageError(
      `${shownOption(twice, given[twice])}: ${place} gives ${twice} a value too: keep one of them`,
    );
  const all = { ...variables, ...given };
  return Object.keys(all).length === 0 ? {} : { var: all };
}

/** @throws CliError when a suite has one name twice; on the command line they are numbered */
function namesOf(
  scenarios: readonly (WantedScenario & { readonly title: string | null })[],
  isSuiteFile: boolean,
): string[] {
  const seen = new Map<string, string>();
  return scenarios.map(({ name, title, source, place }) => {
    const wanted = name ?? title ?? source.replace(/^.*[/\\]/, '').replace(/(?<=.)\.[^.]*$/, '');
    const before = seen.get(same(wanted));
    if (before !== undefined && isSuiteFile)
      throw new CliError(
        'suite_invalid',
        `${place}: ${before} has the name "${wanted}" too: give each a name of its own, for example name: ${wanted} 2`,
      );
    let free = wanted;
    for (let number = 2; seen.has(same(free)); number++) free = `${wanted} (${number})`;
    seen.set(same(free), place);
    return free;
  });
}

/** Names that look the same are: é has two spellings. */
const same = (name: string): string => name.normalize('NFC');

/** A value of `--sensor` has to be of use to one of them. @throws CliError */
function requireSensors(requests: readonly RunRequest[], { sensor = {} }: RunOptions): void {
  for (const [name, value] of Object.entries(sensor)) {
    const refusals = requests.flatMap((request) => {
      try {
        requireKnownSensors({ [name]: value }, request);
        return [];
      } catch (thrown) {
        return [thrown];
      }
    });
    if (refusals.length === requests.length) throw refusals[0];
  }
}
