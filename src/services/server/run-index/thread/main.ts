import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../../../lib/clock/clock.ts';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import { answer } from '../answer.ts';
import { IndexError } from '../index-error.ts';
import type { AskOf } from '../questions.ts';
import { RunIndex } from '../run-index.ts';
import type { QuestionMessage, ThreadData, ThreadMessage } from './messages.ts';

/** After a piece of work failed, ms: a lock of another process, a disk that is gone. */
const RETRY_MS = 2000;
/** Between two looks at the directories while nothing is asked, ms. */
const IDLE_MS = 2000;

/** Answers questions in their order, and keeps the index in step with the directories between them. */
function runThread(): void {
  const port = parentPort;
  if (!port) throw new TypeError('this is no thread');
  const send = (message: ThreadMessage) => port.postMessage(message);
  const { stateDir } = workerData as ThreadData;
  const index = new RunIndex({
    stateDir,
    monotonicMs: () => systemClock.monotonic(),
    report: (report) => send({ report }),
  });
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    queue = queue.then(work);
  };
  port.on('message', (message: QuestionMessage) => inTurn(async () => send(await replyTo(index, message))));
  const keepUp = async () => {
    let waitMs = IDLE_MS;
    try {
      if (await index.step()) waitMs = 0;
    } catch {
      // Whoever asks is answered with the reason.
      waitMs = RETRY_MS;
    }
    systemClock.after(waitMs, () => inTurn(keepUp));
  };
  inTurn(keepUp);
}

async function replyTo(index: RunIndex, { id, name, ask }: QuestionMessage): Promise<ThreadMessage> {
  try {
    return { id, answer: await answer(index, name, ask as AskOf<typeof name>) };
  } catch (thrown) {
    const code = thrown instanceof IndexError ? thrown.code : null;
    return { id, code, message: messageOf(thrown) };
  }
}

runThread();
