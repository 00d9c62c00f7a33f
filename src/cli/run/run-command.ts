import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { givenVariables } from '../options/given-variables.ts';
import { libraryRoot } from '../options/library.ts';
import { rigSettings } from '../rig/rig-settings.ts';
import { readSource } from '../source/read-source.ts';
import { sourcesOf } from '../source/recording-loader.ts';
import { requireKnownSensors } from './known-sensors.ts';
import type { RunOptions } from './run-settings.ts';

/** `svcctl run`. @returns the exit code */
export async function runCommand(
  name: string,
  options: RunOptions & { readonly plan?: boolean },
  io: Io,
): Promise<number> {
  requireMeaningful(options);
  const root = libraryRoot(options.library, io);
  const [rig, source] = await Promise.all([rigSettings(io), readSource(name, io)]);
  const sources = sourcesOf(source, root);
  const request = { source, sources, rig, options: { ...options, var: givenVariables(options, io) } };
  if (options.sensor) requireKnownSensors(options.sensor, request);
  if (!options.plan) {
    const { performRun } = await import('./perform-run.ts');
    return performRun(request, io);
  }
  const { printPlan } = await import('./print-plan.ts');
  return printPlan(request, io) ? EXIT.ok : EXIT.usage;
}

/** Options that would be ignored, and so could make a run look like something it is not. */
function requireMeaningful({ mode, sensor, simulated, mirror }: RunOptions): void {
  if (sensor && mode !== 'dry-run')
    throw usageError(`--sensor gives readings to a dry-run only: leave it out with --mode ${mode}`);
  if (simulated && mode !== 'execute')
    throw usageError(
      `--simulated allows a mock bridge in execute mode only: add --mode execute or leave it out`,
    );
  if (mirror && mode !== 'execute')
    throw usageError(
      `--mirror repeats states on the bridge in execute mode only: add --mode execute or leave it out`,
    );
}
