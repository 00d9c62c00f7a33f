import { statSync } from 'node:fs';
import { reasonOf } from '../../../lib/errors/reason.ts';
import { RecordError } from '../../../scenario/records/record-error.ts';
import type { RunFile } from '../../../scenario/records/run-file.ts';
import type { Followed } from './follow-events.ts';
import type { LiveRun } from './live-run.ts';
import { unrecordedEnd } from './unrecorded-end.ts';

/** The events of a run that goes on. */
export const followedLive = (run: LiveRun): Followed => ({
  path: run.writer.eventsPath,
  get bytes() {
    return run.writer.bytes;
  },
  get isOver() {
    return run.isOver;
  },
  lastSeq: undefined,
  get unrecordedEnd() {
    return run.unrecordedEnd;
  },
  recent: (offset) => run.recent(offset),
  onChange: (listener) => run.onChange(listener),
});

/** The events of a run that has ended. @throws RecordError `record_damaged` */
export const followedRecord = (file: RunFile, path: string): Followed => ({
  path,
  bytes: sizeOf(path),
  isOver: true,
  lastSeq: file.events?.complete ? file.events.count - 1 : undefined,
  unrecordedEnd: unrecordedEnd(file),
  onChange: () => () => {},
});

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (cause) {
    throw new RecordError('record_damaged', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}
