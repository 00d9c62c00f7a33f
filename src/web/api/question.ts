import type { Clock } from '../../lib/clock/clock.ts';
import { RequestError } from './request.ts';

/** Time until a question that found nobody is put again, ms; twice as long each time, to a minute. */
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;

export interface QuestionParts<T> {
  readonly clock: Clock;
  /** Puts the question. @param signal aborts it */
  ask(signal: AbortSignal): Promise<T>;
  /** It was put and is not answered yet. */
  onAsked(): void;
  onAnswer(answer: T): void;
  onFault(fault: unknown): void;
}

/** One question to the server, put as often as somebody wants to know anew; again by itself when nobody answered. */
export class Question<T> {
  readonly #parts: QuestionParts<T>;
  #underWay: AbortController | undefined;
  #retryMs = RETRY_MS;
  #cancelRetry = () => {};

  constructor(parts: QuestionParts<T>) {
    this.#parts = parts;
  }

  /** Something has changed: an answer that is under way would be about the state of before, and is not told. */
  putAnew(): void {
    this.stop();
    void this.#put();
  }

  /** Some time has passed. A server that needs longer for an answer than that still gets to answer. */
  putAgain(): void {
    if (!this.#underWay) this.putAnew();
  }

  /** Nothing is told afterwards. */
  stop(): void {
    this.#cancelRetry();
    this.#underWay?.abort();
    this.#underWay = undefined;
  }

  async #put(): Promise<void> {
    const { clock, ask, onAsked, onAnswer, onFault } = this.#parts;
    const asked = new AbortController();
    this.#underWay = asked;
    onAsked();
    try {
      const answer = await ask(asked.signal);
      if (asked.signal.aborted) return;
      this.#underWay = undefined;
      this.#retryMs = RETRY_MS;
      onAnswer(answer);
    } catch (fault) {
      if (asked.signal.aborted) return;
      this.#underWay = undefined;
      if (mayPass(fault)) {
        this.#cancelRetry = clock.after(this.#retryMs, () => this.putAgain());
        this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
      }
      onFault(fault);
    }
  }
}

const PASSING: ReadonlySet<string> = new Set(['overloaded', 'index_building']);

/** Nobody answered, or not yet. Every other refusal stays until something changes. */
const mayPass = (fault: unknown) =>
  fault instanceof RequestError && (fault.status === null || PASSING.has(fault.code));
