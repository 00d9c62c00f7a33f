import { join } from 'node:path';
import { reasonOf } from '../../../lib/errors/reason.ts';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { anchorOf } from '../../../scenario/records/event-chain.ts';
import { firstFailedOf, type Measurement, measurementsOf } from '../../../scenario/records/measurements.ts';
import { readEvents } from '../../../scenario/records/read-events.ts';
import { FILES, type RunFile } from '../../../scenario/records/run-file.ts';
import { retriesOf } from '../../../scenario/records/run-retries.ts';
import { faultText, type SealState, verifyRecord } from '../../../scenario/records/verify-record.ts';

/** What the index takes from the events of a run that has ended. */
export interface RecordedRun {
  readonly measurements: readonly Measurement[];
  /** Some block needed a further attempt. */
  readonly retried: boolean;
  readonly firstFailed: Measurement | null;
  /** What failed first, as a sentence; null where nothing failed. */
  readonly failedText: string | null;
}

/** A record that is not what was sealed, and why. */
export interface DistrustedRecord {
  readonly damaged: string;
  readonly seal: SealState;
}

/**
 * Reads the events of a run that has ended. Values of a record that is not what was sealed are not taken.
 * @param keys fingerprints of the keys that count; undefined: any
 */
export async function readRecord(
  directory: string,
  file: RunFile,
  keys?: readonly string[],
): Promise<RecordedRun | DistrustedRecord> {
  const distrust = await distrustOf(directory, keys);
  if (distrust) return distrust;
  try {
    const { events } = await readEvents(join(directory, FILES.events), anchorOf(file.identity));
    return recordedRun(file, events);
  } catch (thrown) {
    return unreadable(directory, thrown);
  }
}

/** Why a record cannot be trusted; undefined: it is what was sealed. @param keys fingerprints that count; undefined: any */
export async function distrustOf(
  directory: string,
  keys?: readonly string[],
): Promise<DistrustedRecord | undefined> {
  try {
    const { status, faults } = await verifyRecord(directory, { keys });
    const [fault] = faults;
    return fault && { damaged: `${directory}: ${faultText(fault)}`, seal: status };
  } catch (thrown) {
    return unreadable(directory, thrown);
  }
}

const unreadable = (directory: string, thrown: unknown): DistrustedRecord => ({
  damaged: `${directory} cannot be read: ${reasonOf(thrown)}`,
  seal: 'tampered',
});

function recordedRun({ identity, ending }: RunFile, events: readonly RunEvent[]): RecordedRun {
  const measurements = measurementsOf(events, identity.scenario.id);
  const firstFailed = firstFailedOf(measurements);
  const fault = ending?.status === 'failed' ? (ending.errors[0]?.message ?? 'failed') : null;
  return {
    measurements,
    retried: retriesOf(events).length > 0,
    firstFailed,
    failedText: firstFailed ? `${firstFailed.block}: ${firstFailed.check}` : fault,
  };
}
