import { join } from 'node:path';
import { reasonOf } from '../../../lib/errors/reason.ts';
import { anchorOf } from '../../../scenario/records/event-chain.ts';
import { firstFailedOf, type Measurement, measurementsOf } from '../../../scenario/records/measurements.ts';
import { type ReadEvents, readEvents } from '../../../scenario/records/read-events.ts';
import { RecordError } from '../../../scenario/records/record-error.ts';
import { FILES, type RunFile } from '../../../scenario/records/run-file.ts';
import { faultText, verifyRecord } from '../../../scenario/records/verify-record.ts';

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
 * Reads the events of a run that has ended. Values of a record that is not what was sealed are not taken.
 * @param keys fingerprints of the keys that count; undefined: any
 * @throws RecordError `record_damaged`
 */
export async function readRecord(
  directory: string,
  file: RunFile,
  keys?: readonly string[],
): Promise<RecordedRun> {
  const { identity, ending } = file;
  const path = join(directory, FILES.events);
  const { events } = await readVerified(directory, keys, path, anchorOf(identity)).catch((cause: unknown) => {
    if (cause instanceof RecordError) throw cause;
    throw new RecordError('record_damaged', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  });
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

/** @throws RecordError `record_damaged`, the system's error */
async function readVerified(
  directory: string,
  keys: readonly string[] | undefined,
  path: string,
  anchor: string,
): Promise<ReadEvents> {
  const [fault] = (await verifyRecord(directory, { keys })).faults;
  if (fault) throw new RecordError('record_damaged', `${directory}: ${faultText(fault)}`);
  return readEvents(path, anchor);
}
