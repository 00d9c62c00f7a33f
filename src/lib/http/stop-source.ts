import type { Clock } from '../clock/clock.ts';

/**
 * The one place from which a request is stopped: deadline, client gone, service stopping. Most requests are never
 * stopped and never ask for their signal, so it is made when it is first asked for.
 */
export class StopSource {
  #controller: AbortController | undefined;
  #aborted = false;
  #reason: unknown;
  #onAbort: ((reason: unknown) => void) | undefined;
  #cancelDeadline: (() => void) | undefined;

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first reason counts. */
  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#onAbort?.(reason);
  }

  /** Aborts after `ms`, unless the race is over before. */
  abortAfter(clock: Clock, ms: number, reason: () => unknown): void {
    if (!this.#aborted) this.#cancelDeadline = clock.after(ms, () => this.abort(reason()));
  }

  /**
   * Calls one of the two, and once: with the work's result, with its error, or with the reason of the stop when that
   * comes first.
   */
  race<T>(work: Promise<T>, resolved: (value: T) => void, rejected: (reason: unknown) => void): void {
    let isOver = false;
    const isFirst = () => {
      if (isOver) return false;
      isOver = true;
      this.#cancelDeadline?.();
      return true;
    };
    const fail = (reason: unknown) => {
      if (isFirst()) rejected(reason);
    };
    this.#onAbort = fail;
    work.then((value) => {
      if (isFirst()) resolved(value);
    }, fail);
    if (this.#aborted) fail(this.#reason);
  }
}
