import { setPriority } from 'node:os';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { contextOf, type WindowContext } from '../operations/context.ts';
import { doJob, type Job } from '../operations/job.ts';
import { WindowError } from '../window-error.ts';
import { collector } from './collector.ts';
import type { AnswerMessage, JobMessage, ThreadMessage } from './messages.ts';
import type { ThreadData } from './pool-thread.ts';
import { languageRead } from './reading-order.ts';

/** Below the event loop of this service and below the other services of the rig, whose work is more urgent. */
const NICE = 10;

/** Does one job after the other, as the pool sends them. */
export function runThread(): void {
  const port = parentPort;
  if (!port) throw new TypeError('this is no thread of the pool');
  // On Linux this is the calling thread alone, and the threads that it starts; elsewhere it would be the whole program.
  if (process.platform === 'linux') setPriority(NICE);
  const context = contextOf((workerData as ThreadData).settings, systemClock);
  const collect = collector();
  const keepOneLanguage = languageKeeper(context);
  const say = (message: ThreadMessage) => port.postMessage(message);
  port.on('message', ({ id, job }: JobMessage) => {
    const work = keepOneLanguage(job).then(() => answer(context, id, job));
    void work.then((reply) => {
      say(reply);
      // A turn later: until then what has just ended still refers to its pictures.
      setImmediate(() => say({ id, keptBytes: collect() }));
    });
  });
}

/** Recognizers of one language at a time: each language has its own, and they are what takes most memory. */
function languageKeeper({ texts }: WindowContext): (job: Job) => Promise<void> {
  let language: string | undefined;
  return async (job) => {
    const wanted = languageRead(job);
    if (wanted === undefined) return;
    if (language !== undefined && language !== wanted) await texts.close();
    language = wanted;
  };
}

async function answer(context: WindowContext, id: number, job: Job): Promise<AnswerMessage> {
  try {
    return { id, ok: true, document: await doJob(context, job) };
  } catch (thrown) {
    if (thrown instanceof WindowError)
      return { id, ok: false, code: thrown.code, message: thrown.message, members: { ...thrown.members } };
    const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
    return { id, ok: false, code: null, message: messageOf(thrown), stack };
  }
}
