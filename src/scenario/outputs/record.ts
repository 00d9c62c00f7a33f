import type { RunEvent } from '../events/event.ts';
import type { Result } from '../run/result.ts';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
export type CheckEvent = EventOf<'check'>;
export type StartEvent = EventOf<'run.start'>;
export type SafeStateEvent = EventOf<'safe-state'>;

/** What was tested and who tested it, as named by who asked for the run; null where nobody named it. */
export interface TestedUnit {
  /** Serial number. */
  readonly unit: string | null;
  /** Part number. */
  readonly part: string | null;
  readonly batch: string | null;
  readonly operator: string | null;
}

export const UNNAMED_UNIT: TestedUnit = { unit: null, part: null, batch: null, operator: null };

/** The members that were named. */
export const namedOf = (tested: TestedUnit = UNNAMED_UNIT): [name: keyof TestedUnit, value: string][] =>
  (['unit', 'part', 'batch', 'operator'] as const).flatMap((name) => {
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
}

export const startOf = ({ events }: Pick<Result, 'events'>): StartEvent | undefined =>
  events.find((event): event is StartEvent => event.type === 'run.start');

/** `SCENARIO:` of a run, else its file. */
export const scenarioNameOf = (result: Pick<Result, 'events' | 'source'>): string =>
  startOf(result)?.scenario ?? result.source;

/** Names of the goals that were not selected for the run. */
export const leftOutOf = (result: Pick<Result, 'events'>): string[] =>
  (startOf(result)?.plan ?? []).flatMap(({ name, leftOut }) => (leftOut ? [name] : []));

export const checksOf = ({ events }: Result, goal: number): CheckEvent[] =>
  events.filter((event): event is CheckEvent => event.type === 'check' && event.goal === goal);

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

/** Limits of a check as a person reads them: `0.6 .. 0.67 V`, `>= 6 bar`; empty when it compares no numbers. */
export function limitsText({ op, low, high, unit }: CheckEvent): string {
  const tail = unit ? ` ${unit}` : '';
  if (low !== null && high !== null) return low === high ? `${op} ${low}${tail}` : `${low} .. ${high}${tail}`;
  if (low === null && high === null) return '';
  const bound = low ?? high;
  const sign = /^[<>=!]/.test(op) ? op : low === null ? '<=' : '>=';
  return `${sign} ${bound}${tail}`;
}

export const actualText = ({ actual, unit }: CheckEvent): string =>
  actual === null ? 'no value' : `${actual}${typeof actual === 'number' && unit ? ` ${unit}` : ''}`;
