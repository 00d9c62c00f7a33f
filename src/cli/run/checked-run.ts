import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import type { InterpreterOptions } from '../../scenario/interpreter-options.ts';
import { performRun } from '../../scenario/perform-run.ts';
import type { Result } from '../../scenario/run/result.ts';
import { type CheckedScenario, loadChecked } from '../../scenario/safety/load-checked.ts';
import type { RunRequest } from './perform-run.ts';
import { timeoutsOf } from './run-settings.ts';

/**
 * Reads a scenario and checks that it is safe: in execute mode the findings of the safety check are errors like those of
 * the reader, so that nothing runs. A dry-run reports them and goes on, unless it is strict. Never throws.
 */
export function loadForRun({ source, sources, rig, options, warnsOf = [] }: RunRequest): CheckedScenario {
  const { mode, strict = false, goal: goals, var: variables = {} } = options;
  const { registry, limits, interlocks } = rig;
  const onlyWarns = ({ code }: Diagnostic) => (mode === 'dry-run' && !strict) || warnsOf.includes(code);
  return loadChecked(source.bytes, source.name, {
    loader: sources.loader,
    rigSeverity: mode === 'execute' || strict ? 'error' : 'warning',
    safety: { registry, limits, interlocks, variables, timeouts: timeoutsOf(options) },
    warnsOf: onlyWarns,
    ...(goals ? { goals } : {}),
  });
}

/** Runs what was loaded and checked; a scenario with errors is not run. Never rejects. */
export const runLoaded = (
  loaded: CheckedScenario,
  { source, rig }: Pick<RunRequest, 'source' | 'rig'>,
  options: InterpreterOptions,
): Promise<Result> => performRun(loaded, source.name, { ...options, registry: rig.registry });
