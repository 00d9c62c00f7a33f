import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../lib/clock/clock.ts';
import type { WindowSettings } from '../operations/context.ts';
import type { Job } from '../operations/job.ts';
import { WindowError } from '../window-error.ts';
import { type AnswerMessage, type JobMessage, THREAD_MARK } from './messages.ts';
import { startThread } from './start-thread.ts';

export interface PoolOptions {
  /** Program that runs `runThread` when it is a thread. */
  entry: URL;
  settings: WindowSettings;
  clock: Clock;
  /** Threads at most; they start when they are needed. */
  size: number;
  /** Jobs that may wait for a thread. */
  queueLimit?: number;
  /** Milliseconds that a job may take, waiting included. */
  jobLimitMs?: number;
  /** Milliseconds after which a thread without work ends, and gives its memory back. */
  idleMs?: number;
}

const QUEUE_LIMIT = 16;
const JOB_LIMIT_MS = 30_000;
const IDLE_MS = 60_000;
/** Seconds after which it is worth trying again. */
const RETRY_AFTER_S = 2;

interface Waiting {
  id: number;
  job: Job;
  resolve(document: object): void;
  reject(error: unknown): void;
  /** Ends its time limit and lets go of its signal. */
  release(): void;
}

interface Thread {
  worker: Worker;
  current: Waiting | undefined;
  cancelIdle(): void;
}

/** Threads that do jobs, so that the event loop stays free (section 1, "Work"). */
export class ThreadPool {
  readonly #options: Required<PoolOptions>;
  readonly #threads = new Set<Thread>();
  #waiting: Waiting[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = { queueLimit: QUEUE_LIMIT, jobLimitMs: JOB_LIMIT_MS, idleMs: IDLE_MS, ...options };
  }

  /** For `/health`. */
  state(): { size: number; threads: number; busy: number; waiting: number } {
    const busy = [...this.#threads].filter(({ current }) => current).length;
    return { size: this.#options.size, threads: this.#threads.size, busy, waiting: this.#waiting.length };
  }

  /**
   * @param signal gives up a job that still waits; one that runs goes on to its end, since it may be writing
   * @throws WindowError those of the job, `busy`, `device_timeout`
   */
  run(job: Job, signal?: AbortSignal): Promise<object> {
    const { size, queueLimit, jobLimitMs, clock } = this.#options;
    const isRoom =
      this.#idle() !== undefined || this.#threads.size < size || this.#waiting.length < queueLimit;
    if (this.#isClosed || !isRoom) {
      const why = this.#isClosed
        ? 'the service stops'
        : `${size} images are being looked at and ${queueLimit} wait`;
      return Promise.reject(
        new WindowError('busy', `${why}; try again later`, { retry_after_s: RETRY_AFTER_S }),
      );
    }
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        if (this.#giveUp(waiting)) reject(signal?.reason);
      };
      const cancelLimit = clock.after(jobLimitMs, () => this.#expire(waiting));
      const waiting: Waiting = {
        id: this.#nextId++,
        job,
        resolve,
        reject,
        release: () => {
          cancelLimit();
          signal?.removeEventListener('abort', onAbort);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of [...this.#waiting]) {
      this.#giveUp(waiting);
      waiting.reject(new WindowError('busy', 'the service stops'));
    }
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)));
  }

  #next(): void {
    if (this.#waiting.length === 0) return;
    const thread = this.#idle() ?? (this.#threads.size < this.#options.size ? this.#start() : undefined);
    const waiting = thread && this.#waiting.shift();
    if (!waiting) return;
    thread.cancelIdle();
    thread.current = waiting;
    thread.worker.postMessage({ id: waiting.id, job: waiting.job } satisfies JobMessage);
    this.#next();
  }

  #idle(): Thread | undefined {
    return [...this.#threads].find(({ current }) => !current);
  }

  #start(): Thread {
    const { entry, settings } = this.#options;
    const worker = startThread(entry, { mark: THREAD_MARK, settings });
    const thread: Thread = { worker, current: undefined, cancelIdle: () => {} };
    this.#threads.add(thread);
    worker.on('message', (answer: AnswerMessage) => this.#answered(thread, answer));
    worker.on('error', (error) => this.#lost(thread, error));
    worker.on('exit', (code) => this.#lost(thread, new Error(`a thread ended with code ${code}`)));
    // The service ends when it is told to, not when its threads do.
    worker.unref();
    return thread;
  }

  #answered(thread: Thread, answer: AnswerMessage): void {
    const { current } = thread;
    if (!current || current.id !== answer.id) return;
    thread.current = undefined;
    current.release();
    if (answer.ok) current.resolve(answer.document);
    else if (answer.code !== null)
      current.reject(new WindowError(answer.code, answer.message, answer.members));
    else current.reject(Object.assign(new Error(answer.message), { stack: answer.stack }));
    const { clock, idleMs } = this.#options;
    thread.cancelIdle = clock.after(idleMs, () => {
      if (!thread.current) void this.#end(thread);
    });
    this.#next();
  }

  /** A thread that died takes its job with it and nothing else. */
  #lost(thread: Thread, error: unknown): void {
    thread.cancelIdle();
    this.#threads.delete(thread);
    const { current } = thread;
    thread.current = undefined;
    current?.release();
    current?.reject(error);
    if (!this.#isClosed) this.#next();
  }

  #expire(waiting: Waiting): void {
    const { jobLimitMs } = this.#options;
    const error = new WindowError('device_timeout', `no result within ${jobLimitMs} ms`);
    const thread = [...this.#threads].find(({ current }) => current === waiting);
    if (thread) {
      // What does not come back is stopped for good: a decoder that loops listens to nobody.
      thread.current = undefined;
      void this.#end(thread);
    } else this.#giveUp(waiting);
    waiting.release();
    waiting.reject(error);
    this.#next();
  }

  #giveUp(waiting: Waiting): boolean {
    if (!this.#waiting.includes(waiting)) return false;
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    waiting.release();
    return true;
  }

  async #end(thread: Thread): Promise<void> {
    thread.cancelIdle();
    this.#threads.delete(thread);
    await thread.worker.terminate();
  }
}
