import type { Clock } from '../../lib/clock/clock.ts';
import { abortedError } from './start-error.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm hands on the Ctrl-C that the terminal has already delivered: within this time it is the same wish. */
const SAME_WISH_MS = 400;

/** The signals of this process, as wishes to stop. None of them ends the process: what runs is stopped in order. */
export class StopRequests {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #listeners = new Set<(signal: NodeJS.Signals, count: number) => void>();
  readonly #onSignal = (signal: NodeJS.Signals) => this.#request(signal);
  #count = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    for (const name of SIGNALS) process.on(name, this.#onSignal);
  }

  /** Aborted by the first wish, with an error of exit code 130. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Reports every wish. @returns ends it */
  listen(listener: (signal: NodeJS.Signals, count: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves with the first wish. */
  first(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  /** Gives the signals back to their default action. */
  release(): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
  }

  #request(signal: NodeJS.Signals): void {
    const at = this.#clock.monotonic();
    if (at - this.#lastAt < SAME_WISH_MS) return;
    this.#lastAt = at;
    this.#count++;
    this.#controller.abort(abortedError(signal));
    for (const listener of this.#listeners) listener(signal, this.#count);
  }
}
