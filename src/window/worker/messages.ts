import type { Job } from '../operations/job.ts';
import type { WindowErrorCode } from '../window-error.ts';

/** What a thread is told, and what it answers. */
export interface JobMessage {
  id: number;
  job: Job;
}

export type AnswerMessage =
  | { id: number; ok: true; document: object }
  | { id: number; ok: false; code: WindowErrorCode; message: string; members: Record<string, unknown> }
  /** Not an error of an operation: a defect, with its stack for the log. */
  | { id: number; ok: false; code: null; message: string; stack: string };

/** Tells a thread of the pool apart from a program that is started. */
export const THREAD_MARK = 'svc-window-thread';
