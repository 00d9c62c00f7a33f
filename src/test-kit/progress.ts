import type { Clock } from '../lib/clock/clock.ts';
import { expectedS, type Times } from './times.ts';

/** From one line about the progress to the next, milliseconds. */
const EVERY_MS = 20_000;
/** Before so much is done the machine's own speed is not known, seconds. */
const KNOWN_AFTER_S = 10;

/** Tells people how far a run is and how long it will take. */
export class Progress {
  readonly #options: { files: readonly string[]; times: Times; jobs: number; clock: Clock };
  readonly #startedAt: number;
  readonly #left: Set<string>;
  #toldAt: number;

  constructor(options: { files: readonly string[]; times: Times; jobs: number; clock: Clock }) {
    this.#options = options;
    this.#left = new Set(options.files);
    this.#startedAt = options.clock.monotonic();
    this.#toldAt = this.#startedAt;
  }

  /** @returns the first line */
  begin(): string {
    const { files, jobs } = this.#options;
    const cores = jobs === 1 ? 'one at a time' : `${jobs} at a time`;
    return `${files.length} test files, ${cores}: about ${duration(this.#expectedS(files))}\n`;
  }

  /** A file has ended. @returns a line now and then, otherwise nothing */
  ended(file: string): string {
    const { files, clock } = this.#options;
    this.#left.delete(file);
    const now = clock.monotonic();
    if (now - this.#toldAt < EVERY_MS || this.#left.size === 0) return '';
    this.#toldAt = now;
    const doneS = this.#expectedS(files.filter((one) => !this.#left.has(one)));
    // Once enough is done, the machine is as fast as it was until now.
    const pace = doneS > KNOWN_AFTER_S ? (now - this.#startedAt) / 1000 / doneS : 1;
    const leftS = this.#expectedS([...this.#left]) * pace;
    return `     ${files.length - this.#left.size} of ${files.length} files, about ${duration(leftS)} left\n`;
  }

  #expectedS(files: readonly string[]): number {
    const { times, jobs } = this.#options;
    return expectedS(files, times, jobs);
  }
}

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
