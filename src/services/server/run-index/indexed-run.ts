import type { RunFile } from '../../../scenario/records/run-file.ts';
import type { DistrustedRecord } from './read-record.ts';

/** What drove the hardware of a run: the weakest of what it saw. */
export type RunHardware = 'real' | 'bench' | 'mock';

/** A run as far as lists are filtered by it. */
export interface IndexedRun {
  readonly runId: string;
  /** Order in which runs were asked for. */
  readonly position: number;
  readonly ended: boolean;
  readonly startedMs: number;
  /** Null: it has no ending. */
  readonly status: string | null;
  readonly hardware: RunHardware;
  readonly mode: string;
  readonly scenario: string;
  readonly serial: string | null;
  readonly part: string | null;
  readonly batch: string | null;
  readonly operator: string | null;
  /** SHA-256 of the text of the scenario. */
  readonly version: string;
  readonly rig: string | null;
  /** Lower case: what a search looks in. */
  readonly search: string;
  /** Why the record cannot be trusted although its `run.json` can be read. */
  readonly distrust?: DistrustedRecord;
}

export function indexedRun({ identity, ending }: RunFile): IndexedRun {
  const { run_id: runId, scenario, mode, operator, unit_under_test: serial } = identity;
  const { part = null, batch = null, station } = identity;
  return {
    runId,
    position: identity.serial,
    ended: ending !== null,
    startedMs: Date.parse(ending?.started_at ?? identity.created_at) || 0,
    status: ending?.status ?? null,
    hardware: hardwareOf(identity, ending),
    mode,
    scenario: scenario.id,
    ...{ serial, part, batch, operator, version: scenario.sha256, rig: station?.rig_id ?? null },
    search: searchText(runId, scenario.id, serial, part, batch, operator),
  };
}

/** A dry-run measures nothing; of a run without an ending it is not known yet what it saw. */
function hardwareOf({ mode, hardware_mode }: RunFile['identity'], ending: RunFile['ending']): RunHardware {
  if (mode !== 'execute' || hardware_mode === 'mock' || ending?.simulated) return 'mock';
  return ending?.bench ? 'bench' : 'real';
}

export const searchText = (...parts: readonly (string | null)[]): string =>
  parts
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase();
