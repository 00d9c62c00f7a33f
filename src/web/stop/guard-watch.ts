import type { Clock } from '../../lib/clock/clock.ts';

/** Time between two questions, ms. */
const ASK_MS = 700;
/** Longest time for an answer, ms: with the time between, a guard that is gone is reported within 2 s. */
const ANSWER_MS = 1000;

/** Whether the guard takes stops: not known before the first answer. */
export type GuardState = 'unknown' | 'ok' | 'lost';

export interface GuardWatchOptions {
  clock: Clock;
  /** Whether the guard answers; false or a rejection when it does not. */
  ask: (timeoutMs: number) => Promise<boolean>;
  onState: (state: GuardState) => void;
}

/** Asks the guard again and again whether it takes stops, so that a dead second way of STOP is seen before it is needed. */
export class GuardWatch {
  readonly #options: GuardWatchOptions;
  #cancel = () => {};
  /** Counts up with each start and stop: an answer to a question of before is of no use. */
  #round = 0;

  constructor(options: GuardWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.stop();
    void this.#ask(this.#round);
  }

  /** Nothing is known from here on. */
  stop(): void {
    this.#round += 1;
    this.#cancel();
    this.#options.onState('unknown');
  }

  async #ask(round: number): Promise<void> {
    const { ask, clock, onState } = this.#options;
    const isThere = await ask(ANSWER_MS).catch(() => false);
    if (round !== this.#round) return;
    onState(isThere ? 'ok' : 'lost');
    this.#cancel = clock.after(ASK_MS, () => void this.#ask(round));
  }
}
