import { type CheckRow, checkRows } from '../events/check-rows.ts';
import type { RunEvent } from '../events/event.ts';
import type { RigPublicKey } from '../records/rig-key.ts';
import type { RunFile } from '../records/run-file.ts';
import type { Result } from '../run/result.ts';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
export type StartEvent = EventOf<'run.start'>;
export type SafeStateEvent = EventOf<'safe-state'>;

/** What was tested and who tested it, as named by who asked for the run; null where nobody named it. */
export interface TestedUnit {
  /** Serial number. */
  readonly unit: string | null;
  /** Part number. */
  readonly part: string | null;
  /** Revision of the part. */
  readonly revision: string | null;
  readonly batch: string | null;
  readonly operator: string | null;
}

export const UNNAMED_UNIT: TestedUnit = {
  unit: null,
  part: null,
  revision: null,
  batch: null,
  operator: null,
};

/** The members that were named. */
export const namedOf = (tested: TestedUnit = UNNAMED_UNIT): [name: keyof TestedUnit, value: string][] =>
  (['unit', 'part', 'revision', 'batch', 'operator'] as const).flatMap((name) => {
    const value = tested[name];
    return value === null ? [] : [[name, value] as [keyof TestedUnit, string]];
  });

/** A finished run and what identifies it: the material of every report. */
export interface RunRecord {
  readonly result: Result;
  /** Version of the software that judged. */
  readonly version: string;
  /** SHA-256 of the scenario text as read, hexadecimal. */
  readonly scenarioHash: string;
  readonly tested?: TestedUnit;
  /** What `run.json` says, of a run that was recorded. */
  readonly file?: RunFile;
  /** Key of the seal, which was verified; null or absent: no seal protects the record. */
  readonly sealedBy?: RigPublicKey | null;
}

/** Names of a recorded run and its machine in tables; empty for a run without a record. */
export const recordCells = ({ file }: Pick<RunRecord, 'file'>): { run: string; station: string } => {
  const { run_id: run = '', station } = file?.identity ?? {};
  return { run, station: station ? `${station.host} ${station.rig_id}` : '' };
};

export const startOf = ({ events }: Pick<Result, 'events'>): StartEvent | undefined =>
  events.find((event): event is StartEvent => event.type === 'run.start');

/** A report asks for the rows of one block after the other, and a long run has many events. */
const rowsByGoal = new WeakMap<readonly RunEvent[], ReadonlyMap<number | null, readonly CheckRow[]>>();

/** The checks of a block as a report lists them. */
export const rowsOf = ({ events }: Result, goal: number): readonly CheckRow[] =>
  (rowsByGoal.get(events) ?? gatherRows(events)).get(goal) ?? [];

function gatherRows(events: readonly RunEvent[]): ReadonlyMap<number | null, readonly CheckRow[]> {
  const rows = new Map<number | null, CheckRow[]>();
  for (const row of checkRows(events)) {
    const { goal } = row.check;
    const known = rows.get(goal);
    if (known) known.push(row);
    else rows.set(goal, [row]);
  }
  rowsByGoal.set(events, rows);
  return rows;
}

/** `SCENARIO:` of a run, else its file. */
export const scenarioNameOf = (result: Pick<Result, 'events' | 'source'>): string =>
  startOf(result)?.scenario ?? result.source;

/** Names of the goals that were not selected for the run. */
export const leftOutOf = (result: Pick<Result, 'events'>): string[] =>
  (startOf(result)?.plan ?? []).flatMap(({ name, leftOut }) => (leftOut ? [name] : []));

export const safeStatesOf = ({ events }: Result): SafeStateEvent[] =>
  events.filter((event): event is SafeStateEvent => event.type === 'safe-state');

/** Identities of the calibrations that made values of the run, each with the sensors it was used for. */
export function calibrationsOf({ events }: Result): string[] {
  const used = new Map<string, Set<string>>();
  for (const event of events) {
    if (!('calibration' in event) || event.calibration === undefined || event.sensor === null) continue;
    const sensors = used.get(event.calibration) ?? new Set();
    used.set(event.calibration, sensors.add(event.sensor.replace(/^Δ/, '')));
  }
  return [...used].map(([id, sensors]) => `${id} (${[...sensors].join(', ')})`);
}

/** The mark of a run that was not made on the real rig, as the final line has it; empty for a real one. */
export function markOf({ simulated, bench }: Pick<Result, 'simulated' | 'bench'>): string {
  if (simulated) return 'simulated, not a test';
  return bench ? 'bench, not a test' : '';
}
