import type { DeviceMode, Mode, Variable } from '../../../scenario/events/event.ts';
import type {
  EndedStatus,
  FirstFailed,
  RunEnding,
  RunFault,
  RunSafeState,
} from '../../../scenario/records/run-ending.ts';
import type { RunFile } from '../../../scenario/records/run-file.ts';
import type { RunIdentity, StartedBy, Station } from '../../../scenario/records/run-identity.ts';
import type { RetriedBlock } from '../../../scenario/records/run-retries.ts';
import type { SealState } from '../../../scenario/records/verify-record.ts';
import type { GivenVariable } from '../../../scenario/run/variables.ts';
import type { OpenPrompt } from './prompt-desk.ts';

export type RunStatus = 'queued' | 'running' | 'aborting' | EndedStatus;

/** A run as the API shows it. */
export interface RunView {
  run_id: string;
  scenario_id: string;
  mode: Mode;
  hardware_mode: 'mock' | 'real';
  /** Null, like the three below, while a record that was cut has no ending. */
  simulated: boolean | null;
  bench: boolean | null;
  status: RunStatus;
  ok: boolean;
  passed: number | null;
  total: number | null;
  started_at: string;
  ended_at: string | null;
  errors: readonly RunFault[];
  /** Given ones until the run has ended, then all. */
  variables: Readonly<Record<string, Variable | GivenVariable>>;
  safe_state: RunSafeState | null;
  /** What the run waits for a person with; null when it does not. */
  prompt: OpenPrompt | null;
  operator: string | null;
  unit_under_test: string | null;
  part: string | null;
  revision: string | null;
  batch: string | null;
  started_by: StartedBy | null;
  station: Station | null;
  devices: Readonly<Record<string, DeviceMode>> | null;
  retries: readonly RetriedBlock[] | null;
  first_failed: FirstFailed | null;
  /** Members of the above that the record does not have: their null says nothing of the run. */
  not_recorded: readonly string[];
  scenario_sha256: string;
  /** What the record is worth; null: it was not compared with its seal for this answer. */
  seal: SealState | null;
}

/** What is known of a run that goes on. */
export type Progress = Omit<RunEnding, 'status' | 'ended_at' | 'errors' | 'variables' | 'ok'> & {
  readonly status: 'queued' | 'running' | 'aborting';
};

export function endedView({ identity, ending }: RunFile, seal: SealState | null): RunView {
  // Cut, and its record could not be ended: neither running nor judged.
  if (!ending)
    return {
      ...identified(identity),
      ...UNKNOWN,
      prompt: null,
      started_at: identity.created_at,
      safe_state: identity.mode === 'execute' ? UNKNOWN_STATE : null,
      not_recorded: [...missing(identity, IDENTIFIED), ...UNKNOWN_MEMBERS],
      seal,
    };
  const { devices = null, retries = null, first_failed = null } = ending;
  return {
    ...identified(identity),
    ...ending,
    ...{ devices, retries, first_failed, prompt: null },
    not_recorded: [...missing(identity, IDENTIFIED), ...missing(ending, ENDED)],
    seal,
  };
}

/** Members that records of earlier versions lack. */
const IDENTIFIED = ['part', 'revision', 'batch', 'started_by', 'station'] as const;
const ENDED = ['devices', 'retries', 'first_failed'] as const;
const UNKNOWN_MEMBERS = ['simulated', 'bench', 'passed', 'total', ...ENDED] as const;

const missing = (record: object, names: readonly string[]): string[] =>
  names.filter((name) => !(name in record));

export const liveView = (identity: RunIdentity, progress: Progress, prompt: OpenPrompt | null): RunView => ({
  ...identified(identity),
  ...progress,
  ok: false,
  ended_at: null,
  errors: [],
  prompt,
  variables: identity.variables,
  not_recorded: [],
  seal: 'open',
});

const UNKNOWN = {
  simulated: null,
  bench: null,
  status: 'aborted',
  ok: false,
  passed: null,
  total: null,
  devices: null,
  retries: null,
  first_failed: null,
  ended_at: null,
  errors: [
    { code: 'cut', message: 'the run was cut and its record could not be ended; the log has the cause' },
  ],
  variables: {},
} as const;

const UNKNOWN_STATE = {
  outcome: 'unknown',
  reason: 'the record of the run has no ending',
  steps: [],
} as const;

const identified = (identity: RunIdentity) => ({
  run_id: identity.run_id,
  scenario_id: identity.scenario.id,
  mode: identity.mode,
  hardware_mode: identity.hardware_mode,
  operator: identity.operator,
  unit_under_test: identity.unit_under_test,
  part: identity.part ?? null,
  revision: identity.revision ?? null,
  batch: identity.batch ?? null,
  started_by: identity.started_by ?? null,
  station: identity.station ?? null,
  devices: {},
  retries: [],
  first_failed: null,
  scenario_sha256: identity.scenario.sha256,
});
