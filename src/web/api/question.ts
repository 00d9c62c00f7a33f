import type { Clock } from '../../lib/clock/clock.ts';
import { RequestError } from './request.ts';

/** Time until a question that found nobody is put again, ms. */
const RETRY_MS = 2000;

export interface QuestionParts<T> {
  readonly clock: Clock;
  /** Puts the question. @param signal aborts it */
  ask(signal: AbortSignal): Promise<T>;
  onAnswer(answer: T): void;
  onFault(fault: unknown): void;
}

/**
 * One question to the server, put as often as somebody wants to know anew. One at a time: a server that takes longer
 * for an answer than the next wish takes to come still gets to answer. Put again by itself after a while when nobody
 * answered, or the server could not.
 */
export class Question<T> {
  readonly #parts: QuestionParts<T>;
  readonly #stop = new AbortController();
  #isUnderWay = false;
  /** Asked for while another one was under way, whose answer may be about the state of before. */
  #isWanted = false;
  #cancel = () => {};

  constructor(parts: QuestionParts<T>) {
    this.#parts = parts;
  }

  put(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#isUnderWay) {
      this.#isWanted = true;
      return;
    }
    this.#cancel();
    this.#isUnderWay = true;
    void this.#ask();
  }

  /** Nothing is told afterwards. */
  stop(): void {
    this.#cancel();
    this.#stop.abort();
  }

  async #ask(): Promise<void> {
    const { clock, ask, onAnswer, onFault } = this.#parts;
    const { signal } = this.#stop;
    let isToRepeat = false;
    try {
      const answer = await ask(signal);
      if (!signal.aborted) onAnswer(answer);
    } catch (fault) {
      isToRepeat = mayPass(fault);
      if (!signal.aborted) onFault(fault);
    }
    this.#isUnderWay = false;
    if (signal.aborted) return;
    if (this.#isWanted) {
      this.#isWanted = false;
      this.put();
    } else if (isToRepeat) {
      this.#cancel = clock.after(RETRY_MS, () => this.put());
    }
  }
}

/** A refusal of the server stays until something changes; silence and trouble of its own may pass. */
const mayPass = (fault: unknown) =>
  fault instanceof RequestError && (fault.status === null || fault.status >= 500);
