import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../lib/clock/clock.ts';
import { FileAccess } from '../image/file-access.ts';
import type { WindowSettings } from '../operations/context.ts';
import type { Job } from '../operations/job.ts';
import { WindowError } from '../window-error.ts';
import { assignmentFor, type WorkerSlot } from './assignment.ts';
import { demandOf, readsText } from './demand.ts';
import { type AcceptedJob, ExpectedWork } from './expected-work.ts';
import type { AnswerMessage, JobMessage, ThreadMessage } from './messages.ts';
import { THREAD_MARK } from './pool-thread.ts';
import { inReadingOrder, languageRead, type Reading } from './reading-order.ts';
import { startPoolThread } from './start-pool-thread.ts';

export interface PoolOptions {
  /** Program that runs `runThread` when it is a thread. */
  entry: URL;
  settings: WindowSettings;
  clock: Clock;
  /** Threads at most; they start when they are needed. */
  size: number;
  /** Memory of the whole service, bytes; a job that needs more than there is left waits, or is done alone. */
  memoryBytes: number;
  /** Jobs that may wait for a thread. */
  queueLimit?: number;
  /** Milliseconds that a job may take, waiting included. */
  jobLimitMs?: number;
  /** Milliseconds after which a thread without work ends, and gives its memory back. */
  idleMs?: number;
  /** Memory that a thread may keep when its job is done, bytes; one that keeps more ends, and the next one is new. */
  keptBytes?: number;
  /** How many times as long as on a quiet machine a thread takes now, at least 1; asked while nothing was timed. */
  crowding?: () => number;
}

const QUEUE_LIMIT = 16;
const JOB_LIMIT_MS = 30_000;
const IDLE_MS = 60_000;
const KEPT_BYTES = 64 * 1024 * 1024;
const NOTHING_READ: Reading = { language: undefined, inARow: 0 };
/** Least seconds after which it is worth trying again. */
const RETRY_AFTER_S = 2;

interface Waiting extends AcceptedJob {
  id: number;
  /** Memory for its pictures; undefined until that is known. */
  bytes: number | undefined;
  resolve(document: object): void;
  reject(error: unknown): void;
  /** Ends its time limit and lets go of its signal. */
  release(): void;
}

interface Thread extends WorkerSlot {
  worker: Worker;
  current: Waiting | undefined;
  /** It was told to end, and is not gone yet. */
  isEnding: boolean;
  reading: Reading;
  cancelIdle(): void;
}

/** Threads that do jobs, so that the event loop stays free (section 1, "Work"). */
export class ThreadPool {
  readonly #options: Required<PoolOptions>;
  readonly #threads = new Set<Thread>();
  readonly #access: FileAccess;
  readonly #expected: ExpectedWork;
  #waiting: Waiting[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = {
      queueLimit: QUEUE_LIMIT,
      jobLimitMs: JOB_LIMIT_MS,
      idleMs: IDLE_MS,
      keptBytes: KEPT_BYTES,
      crowding: () => 1,
      ...options,
    };
    this.#access = new FileAccess(options.settings);
    this.#expected = new ExpectedWork(this.#options.jobLimitMs, this.#options.crowding);
  }

  /** For `/health`. */
  state(): { size: number; threads: number; busy: number; waiting: number } {
    const busy = [...this.#threads].filter(({ current }) => current).length;
    return { size: this.#options.size, threads: this.#threads.size, busy, waiting: this.#waiting.length };
  }

  /**
   * @param signal gives up a job that still waits; one that runs goes on to its end, since it may be writing
   * @throws WindowError those of the job, `busy` when there is no room or it could not end in time, `analysis_timeout`
   */
  run(job: Job, signal?: AbortSignal): Promise<object> {
    const { jobLimitMs, clock } = this.#options;
    const refusal = this.#refusalOf(job);
    if (refusal) return Promise.reject(refusal);
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        if (this.#giveUp(waiting)) reject(signal?.reason);
      };
      const cancelLimit = clock.after(jobLimitMs, () => this.#expire(waiting));
      const waiting: Waiting = {
        id: this.#nextId++,
        job,
        bytes: undefined,
        startedAt: undefined,
        resolve,
        reject,
        release: () => {
          cancelLimit();
          signal?.removeEventListener('abort', onAbort);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      void this.#weigh(waiting);
    });
  }

  /** What is accepted is finished: a job that the others leave no time for is refused at once. */
  #refusalOf(job: Job): WindowError | undefined {
    const { size, queueLimit, clock } = this.#options;
    const running = [...this.#threads].flatMap(({ current }) => current ?? []);
    const accepted = [...running, ...this.#waiting];
    const waitMs = this.#expected.waitMs(job, accepted, clock.monotonic());
    const retry_after_s = Math.max(RETRY_AFTER_S, Math.ceil(waitMs / 1000));
    const busy = (why: string) =>
      new WindowError('busy', `${why}; try again in ${retry_after_s} s`, { retry_after_s });
    if (this.#isClosed) return busy('the service stops');
    const state = `${running.length} images are being analysed and ${this.#waiting.length} wait`;
    if (accepted.length >= size + queueLimit) return busy(state);
    return waitMs > 0 ? busy(`${state}: this one could not be finished in time`) : undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of [...this.#waiting]) {
      this.#giveUp(waiting);
      waiting.reject(new WindowError('busy', 'the service stops'));
    }
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)));
  }

  async #weigh(waiting: Waiting): Promise<void> {
    try {
      waiting.bytes = await demandOf(this.#access, waiting.job);
      this.#next();
    } catch (thrown) {
      if (this.#giveUp(waiting)) waiting.reject(thrown);
    }
  }

  /**
   * Gives the waiting jobs to threads. One that waits for memory comes before all that need some and came later, so that
   * small pictures do not keep a large one waiting for ever; one that waits for the reader alone holds up nobody.
   */
  #next(): void {
    let isShort = false;
    const { reading } = [...this.#threads].find(({ isReader }) => isReader) ?? { reading: NOTHING_READ };
    for (const waiting of inReadingOrder(this.#waiting, reading)) {
      // What ends has its memory until it is gone, and then this is called again.
      if ([...this.#threads].some(({ isEnding }) => isEnding)) return;
      const { job, bytes } = waiting;
      if (bytes === undefined || (isShort && bytes > 0)) continue;
      const place = this.#assignmentFor(job, bytes);
      if (!place) isShort ||= this.#assignmentFor(job, 0) !== undefined;
      else if (place.ending.length > 0) for (const thread of place.ending) void this.#end(thread);
      // A thread that clears up is there again before a new one is.
      else if (place.thread || !this.#isResting()) this.#give(waiting, bytes, place.thread ?? this.#start());
    }
  }

  #assignmentFor(job: Job, bytes: number) {
    return assignmentFor([...this.#threads], { bytes, readsText: readsText(job) }, this.#options);
  }

  #isResting(): boolean {
    return [...this.#threads].some(({ isBusy, current }) => isBusy && !current);
  }

  #give(waiting: Waiting, bytes: number, thread: Thread): void {
    const { id, job } = waiting;
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    thread.cancelIdle();
    thread.current = waiting;
    waiting.startedAt = this.#options.clock.monotonic();
    thread.isBusy = true;
    const language = languageRead(job);
    if (language !== undefined) {
      const inARow = language === thread.reading.language ? thread.reading.inARow + 1 : 1;
      thread.isReader = true;
      thread.reading = { language, inARow };
    }
    thread.pictureBytes = bytes;
    thread.worker.postMessage({ id, job } satisfies JobMessage);
  }

  #start(): Thread {
    const { entry, settings } = this.#options;
    const worker = startPoolThread(entry, { mark: THREAD_MARK, settings });
    const thread: Thread = {
      worker,
      current: undefined,
      isEnding: false,
      isBusy: false,
      isReader: false,
      reading: NOTHING_READ,
      pictureBytes: 0,
      cancelIdle: () => {},
    };
    this.#threads.add(thread);
    worker.on('message', (message: ThreadMessage) => this.#heard(thread, message));
    worker.on('error', (error) => this.#lost(thread, error, false));
    worker.on('exit', (code) => this.#lost(thread, new Error(`a thread ended with code ${code}`), true));
    // The service ends when it is told to, not when its threads do.
    worker.unref();
    return thread;
  }

  #heard(thread: Thread, message: ThreadMessage): void {
    if ('keptBytes' in message) this.#rested(thread, message.keptBytes);
    else this.#answered(thread, message);
  }

  #answered(thread: Thread, answer: AnswerMessage): void {
    const { current } = thread;
    if (!current || current.id !== answer.id) return;
    thread.current = undefined;
    this.#took(current);
    current.release();
    if (answer.ok) current.resolve(answer.document);
    else if (answer.code !== null)
      current.reject(new WindowError(answer.code, answer.message, answer.members));
    else current.reject(Object.assign(new Error(answer.message), { stack: answer.stack }));
  }

  #took({ job, startedAt }: Waiting): void {
    const { clock } = this.#options;
    if (startedAt !== undefined) this.#expected.finished(job, clock.monotonic() - startedAt);
  }

  /** Only now is the memory of its pictures free. */
  #rested(thread: Thread, keptBytes: number): void {
    if (thread.isEnding) return;
    const { clock, idleMs } = this.#options;
    thread.isBusy = false;
    thread.pictureBytes = 0;
    if (keptBytes > this.#options.keptBytes) void this.#end(thread);
    else thread.cancelIdle = clock.after(idleMs, () => void this.#end(thread));
    this.#next();
  }

  /** A thread that died takes its job with it and nothing else. */
  #lost(thread: Thread, error: unknown, isGone: boolean): void {
    thread.cancelIdle();
    // After an error a thread still has its memory; its exit comes last.
    if (isGone) this.#threads.delete(thread);
    else thread.isEnding = true;
    const { current } = thread;
    thread.current = undefined;
    current?.release();
    current?.reject(error);
    if (!this.#isClosed) this.#next();
  }

  #expire(waiting: Waiting): void {
    const { jobLimitMs } = this.#options;
    const error = new WindowError(
      'analysis_timeout',
      `no result within ${jobLimitMs / 1000} s; send a smaller image, or ocr: false, which leaves the texts unread`,
    );
    const thread = [...this.#threads].find(({ current }) => current === waiting);
    if (thread) {
      // What does not come back is stopped for good: a decoder that loops listens to nobody.
      thread.current = undefined;
      this.#took(waiting);
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
    thread.isEnding = true;
    thread.isBusy = true;
    await thread.worker.terminate();
  }
}
