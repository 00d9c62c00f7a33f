import type { Clock } from '../clock/clock.ts';
import type { Milliseconds } from '../quantity.ts';

type Priority = 'safe' | 'normal' | 'low';

export interface JobOptions {
  /**
   * `safe` goes ahead of everything and interrupts a running job that is not; `low` lets everything else that waits
   * go ahead. Default `normal`.
   */
  priority?: Priority;
  signal?: AbortSignal;
  /** Milliseconds from the call to its end, waiting included. */
  deadlineMs?: Milliseconds;
  /** A normal job that moves something: it is refused as superseded when a safe job comes, never run after it. */
  actuates?: boolean;
}

/** Why a job ended without an answer of its own. */
export type JobEnd = 'full' | 'expired_waiting' | 'expired_running' | 'aborted' | 'superseded' | 'closed';

const RANKS: Readonly<Record<Priority, number>> = { safe: 0, normal: 1, low: 2 };

interface Job {
  safe: boolean;
  rank: number;
  actuates: boolean;
  start(): Promise<void>;
  end(end: JobEnd, cause?: unknown): void;
}

/**
 * One job at a time, by priority and then in order of arrival. A running job is ended through its AbortSignal, whose
 * reason is the error from `describe`; the next job starts only when the running one has settled.
 */
export class JobQueue {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #deadlineMs: Milliseconds;
  readonly #describe: (end: JobEnd, cause?: unknown) => Error;
  #waiting: Job[] = [];
  #running: Job | undefined;
  #closed = false;

  constructor(options: {
    clock: Clock;
    /** Most normal jobs that may wait. */
    limit: number;
    /** For jobs that name no deadline of their own, milliseconds. */
    deadlineMs: Milliseconds;
    describe: (end: JobEnd, cause?: unknown) => Error;
  }) {
    this.#clock = options.clock;
    this.#limit = options.limit;
    this.#deadlineMs = options.deadlineMs;
    this.#describe = options.describe;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** A job of a higher priority than the running one waits. */
  get isAwaited(): boolean {
    const [next] = this.#waiting;
    return next !== undefined && this.#running !== undefined && next.rank < this.#running.rank;
  }

  run<T>(work: (signal: AbortSignal) => Promise<T>, options: JobOptions = {}): Promise<T> {
    const safe = options.priority === 'safe';
    if (this.#closed) return Promise.reject(this.#describe('closed'));
    if (options.signal?.aborted) return Promise.reject(this.#describe('aborted', options.signal.reason));
    if (!safe && this.#waiting.filter((job) => !job.safe).length >= this.#limit) {
      return Promise.reject(this.#describe('full'));
    }
    return new Promise<T>((resolve, reject) => {
      const controller = new AbortController();
      let started = false;
      const release = () => {
        cancelDeadline();
        options.signal?.removeEventListener('abort', onAbort);
      };
      const job: Job = {
        safe,
        rank: RANKS[options.priority ?? 'normal'],
        actuates: options.actuates === true,
        start: async () => {
          started = true;
          try {
            resolve(await work(controller.signal));
          } catch (error) {
            reject(error);
          } finally {
            release();
          }
        },
        end: (end, cause) => {
          const error = this.#describe(end, cause);
          if (started) {
            controller.abort(error);
            return;
          }
          release();
          this.#waiting = this.#waiting.filter((other) => other !== job);
          reject(error);
        },
      };
      const onAbort = () => job.end('aborted', options.signal?.reason);
      options.signal?.addEventListener('abort', onAbort, { once: true });
      const cancelDeadline = this.#clock.after(options.deadlineMs ?? this.#deadlineMs, () =>
        job.end(started ? 'expired_running' : 'expired_waiting'),
      );
      this.#enqueue(job);
    });
  }

  /** Refuses whatever waits, interrupts what runs, and takes nothing more. */
  close(): void {
    this.#closed = true;
    for (const job of [...this.#waiting]) job.end('closed');
    this.#running?.end('closed');
  }

  #enqueue(job: Job): void {
    if (job.safe) {
      for (const other of [...this.#waiting]) if (!other.safe && other.actuates) other.end('superseded');
      if (this.#running && !this.#running.safe) this.#running.end('superseded');
    }
    const next = this.#waiting.findIndex((other) => other.rank > job.rank);
    this.#waiting.splice(next === -1 ? this.#waiting.length : next, 0, job);
    void this.#next();
  }

  async #next(): Promise<void> {
    if (this.#running) return;
    const job = this.#waiting.shift();
    if (!job) return;
    this.#running = job;
    await job.start();
    this.#running = undefined;
    void this.#next();
  }
}
