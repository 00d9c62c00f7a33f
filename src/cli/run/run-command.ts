import { hasErrors } from '../../scenario/load.ts';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { givenVariables } from '../options/given-variables.ts';
import { libraryRoot } from '../options/library.ts';
import { rigSettings } from '../rig/rig-settings.ts';
import { readSource } from '../source/read-source.ts';
import { sourcesOf } from '../source/recording-loader.ts';
import { wantedSuite } from '../suite/wanted.ts';
import { loadForRun } from './checked-run.ts';
import { requireKnownSensors } from './known-sensors.ts';
import type { RunOptions } from './run-settings.ts';

/** `svcctl run`: one scenario, several, or a suite. @returns the exit code */
export async function runCommand(
  names: readonly string[],
  options: RunOptions & { readonly plan?: boolean },
  io: Io,
): Promise<number> {
  requireMeaningful(options);
  const suite = wantedSuite(names, options.stopOnFail === true, io);
  if (!suite) return runOne(names[0] ?? '', options, io);
  if (options.plan) throw usageError('--plan shows the order of one scenario: name one');
  const [{ loadSuite }, { performSuite }] = await Promise.all([
    import('../suite/load-suite.ts'),
    import('../suite/perform-suite.ts'),
  ]);
  return performSuite(await loadSuite(suite, options, io), options, io);
}

async function runOne(
  name: string,
  options: RunOptions & { readonly plan?: boolean },
  io: Io,
): Promise<number> {
  const root = libraryRoot(options.library, io);
  const [rig, source] = await Promise.all([rigSettings(io), readSource(name, io)]);
  const sources = sourcesOf(source, root);
  const request = { source, sources, rig, options: { ...options, var: givenVariables(options, io) } };
  if (options.sensor) requireKnownSensors(options.sensor, request);
  const loaded = loadForRun(request);
  if (!hasErrors(loaded.diagnostics) && (options.goal || options.tag)) {
    const { requireSelected } = await import('../suite/select.ts');
    requireSelected({ name: source.name, program: loaded.program }, options);
  }
  if (!options.plan) {
    const { performRun } = await import('./perform-run.ts');
    return performRun(request, io, loaded);
  }
  const { printPlan } = await import('./print-plan.ts');
  return printPlan(request, loaded, io) ? EXIT.ok : EXIT.usage;
}

/** Options that would be ignored, and so could make a run look like something it is not. */
function requireMeaningful({ mode, sensor, simulated, withoutGuard, mirror }: RunOptions): void {
  if (sensor && mode !== 'dry-run')
    throw usageError(`--sensor gives readings to a dry-run only: leave it out with --mode ${mode}`);
  if (simulated && mode !== 'execute')
    throw usageError(
      `--simulated allows a mock bridge in execute mode only: add --mode execute or leave it out`,
    );
  if (withoutGuard && mode !== 'execute')
    throw usageError(
      `--without-guard allows a bench without svc-guard in execute mode only: add --mode execute or leave it out`,
    );
  if (mirror && mode !== 'execute')
    throw usageError(
      `--mirror repeats states on the bridge in execute mode only: add --mode execute or leave it out`,
    );
}
