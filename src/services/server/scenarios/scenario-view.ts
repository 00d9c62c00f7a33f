import { hasErrors } from '../../../scenario/load.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import { type FoundScenario, readScenario } from './find-scenarios.ts';
import { loadForRun } from './load-for-run.ts';

export interface ScenarioView {
  id: string;
  name: string;
  device_type: string | null;
  version: string;
  /** Nothing is wrong with its text and its safety; whether this rig has what it asks for is seen when it is run. */
  valid: boolean;
  /** What is wrong with it first. */
  fault: string | null;
}

export interface ViewedScenario {
  view: ScenarioView;
  /** Files that it includes, or would include if they were there. */
  looked: readonly string[];
}

/** A scenario as it is listed. One that cannot be read is listed with its fault. */
export function scenarioView(found: FoundScenario, rig: ConfiguredRig, folder: string): ViewedScenario {
  const source = readScenario(found);
  const { checked, looked } = loadForRun(found, source, { mode: 'validate', variables: {} }, rig, folder);
  const { program, diagnostics } = checked;
  const fault = diagnostics.find(({ severity }) => severity === 'error');
  const view = {
    id: found.id,
    name: program.scenario ?? found.id,
    device_type: program.metadata.DEVICE_TYPE ?? null,
    version: String(program.version),
    valid: !hasErrors(diagnostics),
    fault: fault ? `${fault.code} line ${fault.pos.line}: ${fault.message}` : null,
  };
  return { view, looked };
}
