/**
 * The one place from which a request is stopped: deadline, client gone, service stopping. Most requests are never
 * stopped and never ask for their signal, so it is made when it is first asked for.
 */
export class StopSource {
  #controller: AbortController | undefined;
  #aborted = false;
  #reason: unknown;
  #reject: ((reason: unknown) => void) | undefined;

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
    this.#reject?.(reason);
  }

  /** The work's result, or the reason of the stop when that comes first. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject);
      if (this.#aborted) reject(this.#reason);
    });
  }
}
