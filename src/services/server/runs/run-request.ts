import { version } from '../../../lib/version.ts';
import type { Mode } from '../../../scenario/events/event.ts';
import type { HashedFile, RunFacts, StartedBy } from '../../../scenario/records/run-identity.ts';
import type { GivenVariable } from '../../../scenario/run/variables.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import type { FoundScenario } from '../scenarios/find-scenarios.ts';

/** What someone wants to be run. */
export interface RunRequest {
  scenario: FoundScenario;
  /** SHA-256 of the text that is meant, hexadecimal; null: whatever the file holds. */
  scenarioSha256: string | null;
  mode: Mode;
  variables: Readonly<Record<string, GivenVariable>>;
  /** A bridge in mock mode will do. */
  simulated: boolean;
  /** A bench will do without a guard. */
  withoutGuard: boolean;
  operator: string | null;
  unitUnderTest: string | null;
  part: string | null;
  revision: string | null;
  batch: string | null;
  startedBy: StartedBy;
  requestedBy: RunFacts['requested_by'];
}

interface Found {
  /** Of the scenario's text. */
  sha256: string;
  includes: readonly HashedFile[];
  /** Of this service. */
  hardwareMode: 'mock' | 'real';
  firmwareUrl: string;
}

/** What a record says of a run before it begins. */
export function factsOf(request: RunRequest, rig: ConfiguredRig, found: Found): RunFacts {
  const { scenario, mode, variables } = request;
  return {
    scenario: { id: scenario.id, file: scenario.path, sha256: found.sha256, includes: found.includes },
    mode,
    hardware_mode: found.hardwareMode,
    simulation_allowed: request.simulated,
    variables,
    operator: request.operator,
    unit_under_test: request.unitUnderTest,
    part: request.part,
    revision: request.revision,
    batch: request.batch,
    started_by: request.startedBy,
    requested_by: request.requestedBy,
    software: { name: 'svc-rig', version },
    configuration: rig.configuration,
    calibrations: rig.calibrations,
    firmware_url: found.firmwareUrl,
  };
}
