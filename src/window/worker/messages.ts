import type { Job } from '../operations/job.ts';
import type { WindowErrorCode } from '../window-error.ts';

/** What a thread is told. */
export interface JobMessage {
  id: number;
  job: Job;
}

/** What a thread says of a job: its answer, and then that it has cleared up and takes the next one. */
export type ThreadMessage = AnswerMessage | { id: number; keptBytes: number };

export type AnswerMessage =
  | { id: number; ok: true; document: object }
  | { id: number; ok: false; code: WindowErrorCode; message: string; members: Record<string, unknown> }
  /** Not an error of an operation: a defect, with its stack for the log. */
  | { id: number; ok: false; code: null; message: string; stack: string };
