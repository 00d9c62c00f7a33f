import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../../../lib/clock/clock.ts';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import { startThread } from '../../../../lib/thread/start-thread.ts';
import { IndexError, type IndexErrorCode } from '../index-error.ts';
import type { AnswerOf, AskOf, QuestionName } from '../questions.ts';
import type { QuestionMessage, ThreadData, ThreadMessage } from './messages.ts';

/** Of the thread's own heap, MB. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 };
/** Between two starts of a thread that ends by itself, ms. */
const RESTART_MS = 1000;

export interface IndexThreadOptions {
  /** Program of the thread. */
  entry: URL;
  stateDir: string;
  clock: Clock;
  /** Takes one sentence for the log. */
  report: (message: string) => void;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  cancelLimit(): void;
}

/**
 * The index in a thread of its own, so that nothing it does holds up the event loop. A thread that ends, or does not
 * answer in time, is replaced by a new one; what it was asked fails with `index_unavailable`.
 */
export class IndexThread {
  readonly #options: IndexThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextId = 1;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: IndexThreadOptions) {
    this.#options = options;
  }

  /** Begins to compare the index with the directories, before anything is asked. */
  start(): void {
    const { entry, stateDir, clock } = this.#options;
    if (this.#worker || this.#isClosed) return;
    this.#startedAtMs = clock.monotonic();
    const workerData: ThreadData = { stateDir };
    const worker = startThread(entry, { workerData, resourceLimits: HEAP_LIMITS });
    this.#worker = worker;
    worker.on('message', (message: ThreadMessage) => this.#received(message));
    worker.on('error', (error) => this.#lost(worker, messageOf(error)));
    worker.on('exit', (code) => this.#lost(worker, `it ended with code ${code}`));
    // It ends with the service.
    worker.unref();
  }

  /** @param limitMs after which the thread is replaced @throws IndexError */
  ask<Name extends QuestionName>(name: Name, ask: AskOf<Name>, limitMs: number): Promise<AnswerOf<Name>> {
    const { clock } = this.#options;
    if (!this.#worker && clock.monotonic() - this.#startedAtMs >= RESTART_MS) this.start();
    const worker = this.#worker;
    if (!worker)
      return Promise.reject(
        new IndexError('index_unavailable', 'the thread of the index is being started again'),
      );
    const id = this.#nextId++;
    return new Promise<unknown>((resolve, reject) => {
      const cancelLimit = clock.after(limitMs, () =>
        this.#lost(worker, `it did not answer "${name}" within ${limitMs} ms`),
      );
      this.#waiting.set(id, { resolve, reject, cancelLimit });
      worker.postMessage({ id, name, ask } satisfies QuestionMessage);
    }) as Promise<AnswerOf<Name>>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#rejectAll('the service ends');
    await worker?.terminate();
  }

  #received(message: ThreadMessage): void {
    if ('report' in message) {
      this.#options.report(message.report);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    waiting.cancelLimit();
    if ('answer' in message) waiting.resolve(message.answer);
    else waiting.reject(errorOf(message.code, message.message));
  }

  #lost(worker: Worker, why: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#options.report(`the thread of the index is replaced: ${why}`);
    this.#rejectAll(why);
    void worker.terminate();
  }

  #rejectAll(why: string): void {
    for (const { reject, cancelLimit } of this.#waiting.values()) {
      cancelLimit();
      reject(new IndexError('index_unavailable', `the thread of the index failed: ${why}`));
    }
    this.#waiting.clear();
  }
}

const errorOf = (code: IndexErrorCode | null, message: string): IndexError =>
  code === null
    ? new IndexError('index_unavailable', `the index failed: ${message}`)
    : new IndexError(code, message);
