import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import { Execution } from '../../scenario/run/execution.ts';
import type { InterpreterOptions } from '../../scenario/run/options.ts';
import type { Result } from '../../scenario/run/result.ts';
import { StopSwitch } from '../../scenario/run/stop-switch.ts';
import { loadChecked } from '../../scenario/safety/load-checked.ts';
import type { IncludeLoader } from '../../scenario/syntax/include-loader.ts';
import type { RigSettings } from '../rig/rig-settings.ts';
import type { ScenarioSource } from '../source/scenario-source.ts';

export interface CheckedRun {
  readonly source: ScenarioSource;
  readonly loader: IncludeLoader;
  readonly rig: RigSettings;
  readonly options: InterpreterOptions;
  /** Findings of the safety check that only warn, in an execute run too. */
  readonly warnsOf?: (finding: Diagnostic) => boolean;
}

/**
 * A run that begins with the safety check: in execute mode, before preflight and lease, its findings are errors like
 * those of the reader, so that nothing runs. A dry-run tells them and goes on, unless it is strict. Never rejects.
 */
export async function checkedRun({ source, loader, rig, options, warnsOf }: CheckedRun): Promise<Result> {
  const { mode = 'dry-run', strict = false, variables = {}, timeouts = {} } = options;
  const { registry, limits, interlocks } = rig;
  const loaded = loadChecked(source.bytes, source.name, {
    loader,
    rigSeverity: mode === 'execute' || strict ? 'error' : 'warning',
    safety: { registry, limits, interlocks, variables, timeouts },
    warnsOf: (finding) => (mode === 'dry-run' && !strict) || warnsOf?.(finding) === true,
  });
  const stop = new StopSwitch(options.signal, options.hardSignal);
  try {
    return await new Execution(options, mode, registry, loaded, source.name, stop).run();
  } finally {
    stop.end();
  }
}
