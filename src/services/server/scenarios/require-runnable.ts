import { relative } from 'node:path';
import { HttpError } from '../../../lib/http/http-error.ts';
import type { Mode } from '../../../scenario/events/event.ts';
import type { CheckedScenario } from '../../../scenario/safety/load-checked.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import type { FoundScenario } from './find-scenarios.ts';
import { type Finding, findingLine, findingOf } from './finding.ts';
import { missingDevices } from './missing-devices.ts';
import { withRemedy } from './with-remedy.ts';

/** Findings that the sentence of the refusal has; `findings` has all of them. */
const MOST_TOLD = 3;

export interface WantedRun {
  scenario: FoundScenario;
  mode: Mode;
  /** A bridge in mock mode will do, which needs no device. */
  simulated: boolean;
}

/**
 * Refuses what would end before its first action. A validation begins: its run is the report.
 * @throws HttpError with the findings: `invalid_scenario` for the text, `device_unavailable` for what the rig lacks
 */
export function requireRunnable(
  { scenario, mode, simulated }: WantedRun,
  { diagnostics, program }: CheckedScenario,
  rig: Pick<ConfiguredRig, 'config' | 'registry'>,
  { folder, firmwareUrl }: { folder: string; firmwareUrl: string },
): void {
  if (mode === 'validate') return;
  const faults = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((one) => findingOf(one, folder));
  if (faults.length > 0) throw invalid(scenario, faults, folder);
  if (mode !== 'execute' || simulated) return;
  const missing = missingDevices(program.uses, rig, firmwareUrl);
  if (missing.length > 0) throw lacking(scenario, missing);
}

function invalid({ id, path }: FoundScenario, findings: Finding[], folder: string): HttpError {
  const count = `${findings.length} ${findings.length === 1 ? 'error' : 'errors'}`;
  const message = `no run was started: ${id} has ${count}. ${told(findings, (one) => findingLine(one, relative(folder, path)))}`;
  const errors = [{ in: 'path' as const, field: 'id', message: `has ${count}`, value: id }];
  return new HttpError('invalid_scenario', message, { errors, members: { findings } });
}

/** Nothing is wrong with the text. */
function lacking({ id }: FoundScenario, findings: Finding[]): HttpError {
  const message = `no run of ${id} was started, the rig lacks a device. ${told(findings, withRemedy)}`;
  return new HttpError('device_unavailable', message, { members: { device: 'configuration', findings } });
}

function told(findings: readonly Finding[], line: (one: Finding) => string): string {
  const more = findings.length - MOST_TOLD;
  return `${findings.slice(0, MOST_TOLD).map(line).join(' ')}${more > 0 ? ` And ${more} more, see findings.` : ''}`;
}
