import { isMainThread, workerData } from 'node:worker_threads';
import type { WindowSettings } from '../operations/context.ts';

/** Tells a thread of the pool apart from a program that is started. */
export const THREAD_MARK = 'svc-window-thread';

export interface ThreadData {
  mark: typeof THREAD_MARK;
  settings: WindowSettings;
}

/** Whether this program was started as a thread of the pool. */
export function isPoolThread(): boolean {
  return !isMainThread && (workerData as ThreadData | null)?.mark === THREAD_MARK;
}
