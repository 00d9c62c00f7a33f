/** A call with one result for several callers; it is cancelled when the last of them has gone. */
export class CoalescedCall<T> {
  readonly #stop = new AbortController();
  readonly #result: Promise<T>;
  #callers = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#stop.signal);
    // Each caller sees the failure at its own promise.
    this.#result.catch(() => {});
  }

  /** No caller waits for it any more. */
  get isCancelled(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Resolves when the work has ended, however it did. */
  async settled(): Promise<void> {
    await this.#result.catch(() => {});
  }

  /** @param signal of one caller. @throws what the work throws; the signal's reason */
  join(signal?: AbortSignal): Promise<T> {
    this.#callers += 1;
    if (!signal) return this.#result;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(signal.reason);
        this.#callers -= 1;
        if (this.#callers === 0) this.#stop.abort(signal.reason);
      };
      if (signal.aborted) {
        onAbort();
        return;
      }
      signal.addEventListener('abort', onAbort, { once: true });
      const settled = () => signal.removeEventListener('abort', onAbort);
      this.#result.then(
        (value) => {
          settled();
          resolve(value);
        },
        (error: unknown) => {
          settled();
          reject(error);
        },
      );
    });
  }
}
