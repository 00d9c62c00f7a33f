import type { Clock } from '../../../lib/clock/clock.ts';
import { HttpError, invalidField } from '../../../lib/http/http-error.ts';
import type { Prompt } from '../../../scenario/run/options.ts';
import { type PromptQuestion, readAnswer } from '../../../scenario/run/prompt-answer.ts';

/** The prompt that a run waits at, as the API shows it. */
export interface OpenPrompt {
  readonly n: number;
  readonly message: string;
  readonly asks: PromptQuestion['asks'];
  readonly choices: readonly string[];
  /** The message is an instruction that is to be confirmed. */
  readonly task: boolean;
  /** ISO time. */
  readonly opened_at: string;
  /** ISO time; null: only the time-outs of goal and run end it. */
  readonly closes_at: string | null;
}

interface Waiting {
  readonly question: PromptQuestion;
  readonly openedAt: number;
  readonly answer: (text: string) => void;
}

/** Where the prompts of one run wait for their answer. A run has one open at a time. */
export class PromptDesk {
  readonly #runId: string;
  readonly #clock: Clock;
  /** Opened so far. */
  #last = 0;
  #waiting: Waiting | undefined;

  constructor(runId: string, clock: Clock) {
    this.#runId = runId;
    this.#clock = clock;
  }

  readonly ask: Prompt = (question, { signal }) =>
    new Promise((resolve, reject) => {
      const close = (settle: () => void) => {
        signal.removeEventListener('abort', onAbort);
        this.#waiting = undefined;
        settle();
      };
      const onAbort = () => close(() => reject(signal.reason));
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      signal.addEventListener('abort', onAbort, { once: true });
      this.#last = question.n;
      this.#waiting = {
        question,
        openedAt: this.#clock.now(),
        answer: (text) => close(() => resolve(text)),
      };
    });

  view(): OpenPrompt | null {
    if (!this.#waiting) return null;
    const { question, openedAt } = this.#waiting;
    const { n, message, asks, choices, task, timeoutMs } = question;
    const iso = (ms: number) => new Date(ms).toISOString();
    return {
      n,
      message,
      asks,
      choices,
      task,
      opened_at: iso(openedAt),
      closes_at: timeoutMs === null ? null : iso(openedAt + timeoutMs),
    };
  }

  /**
   * Takes the answer of a person; what is not an answer leaves the prompt open. @returns the answer as it counts
   * @throws HttpError `unknown_prompt`, `prompt_closed`, `invalid_parameter`
   */
  answer(n: number, said: string): string {
    const waiting = this.#waiting;
    if (waiting?.question.n !== n) throw this.#notOpen(n);
    const read = readAnswer(waiting.question, said);
    if ('fault' in read)
      throw invalidField('invalid_parameter', {
        in: 'body',
        field: 'answer',
        message: `cannot be used: ${read.fault}`,
        value: said,
      });
    waiting.answer(read.answer);
    return read.answer;
  }

  #notOpen(n: number): HttpError {
    if (n >= 1 && n <= this.#last)
      return new HttpError('prompt_closed', `prompt ${n} of ${this.#runId} is answered or closed already`);
    const open = this.#waiting ? `prompt ${this.#waiting.question.n} is open` : 'no prompt is open';
    return new HttpError('unknown_prompt', `${this.#runId} has no prompt ${n} so far; ${open}`);
  }
}
