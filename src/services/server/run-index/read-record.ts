import { join } from 'node:path';
import { reasonOf } from '../../../lib/errors/reason.ts';
import { checkRows } from '../../../scenario/events/check-rows.ts';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { anchorOf } from '../../../scenario/records/event-chain.ts';
import { readEvents } from '../../../scenario/records/read-events.ts';
import { RecordError } from '../../../scenario/records/record-error.ts';
import { FILES, type RunFile } from '../../../scenario/records/run-file.ts';

export interface Measurement {
  readonly id: string;
  readonly key: string;
  readonly block: string;
  readonly check: string;
  readonly sensor: string | null;
  readonly value: number | string | boolean | null;
  readonly unit: string | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly outcome: string;
  readonly at: string;
  readonly attempt: number;
}

/** What the index takes from the events of a run that has ended. */
export interface RecordedRun {
  readonly measurements: readonly Measurement[];
  /** Some block needed a further attempt. */
  readonly retried: boolean;
  readonly firstFailed: Measurement | null;
  /** What failed first, as a sentence; null where nothing failed. */
  readonly failedText: string | null;
}

/**
 * Reads the events of a run that has ended. Values of a record whose lines do not follow each other are not taken.
 * @throws RecordError `record_damaged`
 */
export async function readRecord(directory: string, file: RunFile): Promise<RecordedRun> {
  const { identity, ending, events: seal } = file;
  const path = join(directory, FILES.events);
  const { events, last } = await readEvents(path, anchorOf(identity)).catch((cause: unknown) => {
    throw new RecordError('record_damaged', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  });
  if (seal && (events.length !== seal.count || last !== seal.last_sha256))
    throw new RecordError(
      'record_damaged',
      `${path}: of ${seal.count} events ${events.length} follow each other as they were written`,
    );
  const measurements = measurementsOf(events, identity.scenario.id);
  const firstFailed = firstFailedOf(measurements);
  const fault = ending?.status === 'failed' ? (ending.errors[0]?.message ?? 'failed') : null;
  return {
    measurements,
    retried: events.some((event) => event.type === 'block.start' && event.attempt > 1),
    firstFailed,
    failedText: firstFailed ? `${firstFailed.block}: ${firstFailed.check}` : fault,
  };
}

/** The first failed judgement that no later attempt of its block replaced. */
function firstFailedOf(measurements: readonly Measurement[]): Measurement | null {
  const last = new Map<string, number>();
  for (const { block, attempt } of measurements) last.set(block, Math.max(last.get(block) ?? 0, attempt));
  return (
    measurements.find(({ block, attempt, outcome }) => outcome === 'failed' && attempt === last.get(block)) ??
    null
  );
}

function measurementsOf(events: readonly RunEvent[], scenario: string): Measurement[] {
  const names = new Map<number | null, string>();
  for (const event of events) if (event.type === 'block.start') names.set(event.goal, event.name);
  return checkRows(events).map(({ check }) => {
    const { seq, goal, sensor, actual, unit, low, high, outcome, time, kind, op } = check;
    const block = names.get(goal) ?? '';
    const name = `${kind} ${sensor ?? ''} ${op}`;
    return {
      id: String(seq),
      key: `${scenario}/${block}/${name}/${sensor ?? ''}`,
      check: name,
      attempt: 1,
      value: actual,
      at: time,
      ...{ block, sensor, unit, low, high, outcome },
    };
  });
}
