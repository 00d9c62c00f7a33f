import type { Job } from '../operations/job.ts';
import { readsText } from './demand.ts';

/** A job that was accepted and is not finished. */
export interface AcceptedJob {
  job: Job;
  /** Monotonic milliseconds; undefined while it waits. */
  startedAt: number | undefined;
}

/** Milliseconds that a job takes on a quiet machine on which none was timed yet. */
const FIRST_GUESS_MS = { text: 6000, image: 500 };
/** Least that is expected, whatever small images took, milliseconds. */
const LEAST_MS = { text: 1500, image: 200 };
const TIMED = 8;
/** Share of the time limit that accepted work may fill: the rest is for what takes longer than the last ones did. */
const FILLED = 0.8;

/**
 * Expects how long accepted jobs take, by the longest of the last ones of their kind on this machine, and as if they were done one
 * after the other. What is accepted then ends within its time limit also where threads share a core or wait for memory.
 */
export class ExpectedWork {
  readonly #limitMs: number;
  readonly #timed = { text: [] as number[], image: [] as number[] };

  readonly #crowding: () => number;

  /**
   * @param limitMs that a job may take, waiting included
   * @param crowding how many times as long as on a quiet machine a thread takes now, at least 1
   */
  constructor(limitMs: number, crowding: () => number = () => 1) {
    this.#limitMs = limitMs;
    this.#crowding = crowding;
  }

  /** Of one job, milliseconds. */
  expectedMs(job: Job): number {
    const kind = kindOf(job);
    const timed = this.#timed[kind];
    return Math.max(
      LEAST_MS[kind],
      timed.length > 0 ? Math.max(...timed) : FIRST_GUESS_MS[kind] * this.#crowding(),
    );
  }

  /** Takes note of how long a job was worked on, milliseconds. */
  finished(job: Job, ms: number): void {
    const timed = this.#timed[kindOf(job)];
    timed.push(ms);
    if (timed.length > TIMED) timed.shift();
  }

  /**
   * Milliseconds until another job can be accepted, 0 for at once. A job is always accepted when there is no other.
   *
   * @param now monotonic milliseconds
   */
  waitMs(job: Job, accepted: readonly AcceptedJob[], now: number): number {
    if (accepted.length === 0) return 0;
    const before = accepted.reduce((sum, { job: other, startedAt }) => {
      const elapsed = startedAt === undefined ? 0 : now - startedAt;
      return sum + Math.max(0, this.expectedMs(other) - elapsed);
    }, 0);
    return Math.max(0, before + this.expectedMs(job) - FILLED * this.#limitMs);
  }
}

const kindOf = (job: Job): 'text' | 'image' => (readsText(job) ? 'text' : 'image');
