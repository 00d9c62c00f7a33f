import { setPriority } from 'node:os';
import process from 'node:process';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { contextOf, type WindowContext, type WindowSettings } from '../operations/context.ts';
import { doJob } from '../operations/job.ts';
import { WindowError } from '../window-error.ts';
import { type AnswerMessage, type JobMessage, THREAD_MARK } from './messages.ts';

export interface ThreadData {
  mark: typeof THREAD_MARK;
  settings: WindowSettings;
}

/** Whether this program was started as a thread of the pool. */
export function isPoolThread(): boolean {
  return !isMainThread && (workerData as ThreadData | null)?.mark === THREAD_MARK;
}

/** Below the event loop of this service and below the other services of the rig, whose work is more urgent. */
const NICE = 10;

/** Does one job after the other, as the pool sends them. */
export function runThread(): void {
  const port = parentPort;
  if (!port) throw new TypeError('this is no thread of the pool');
  // On Linux this is the calling thread alone, and the threads that it starts; elsewhere it would be the whole program.
  if (process.platform === 'linux') setPriority(NICE);
  const context = contextOf((workerData as ThreadData).settings, systemClock);
  port.on('message', (message: JobMessage) => {
    void answer(context, message).then((reply) => port.postMessage(reply));
  });
}

async function answer(context: WindowContext, { id, job }: JobMessage): Promise<AnswerMessage> {
  try {
    return { id, ok: true, document: await doJob(context, job) };
  } catch (thrown) {
    if (thrown instanceof WindowError)
      return { id, ok: false, code: thrown.code, message: thrown.message, members: { ...thrown.members } };
    const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
    return { id, ok: false, code: null, message: messageOf(thrown), stack };
  }
}
