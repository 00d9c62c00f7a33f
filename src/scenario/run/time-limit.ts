import type { Clock } from '../../lib/clock/clock.ts';

/**
 * A signal that aborts with its parent, after a time, or by hand; the first reason counts. It has to be ended, so that
 * neither timer nor listener is left behind in a run of hours.
 */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #end: (() => void)[] = [];

  constructor(parents: readonly AbortSignal[], clock?: Clock, ms?: number, reason?: () => unknown) {
    for (const parent of parents) {
      if (parent.aborted) {
        this.#controller.abort(parent.reason);
        return;
      }
      const onAbort = () => this.abort(parent.reason);
      parent.addEventListener('abort', onAbort, { once: true });
      this.#end.push(() => parent.removeEventListener('abort', onAbort));
    }
    if (clock && ms !== undefined && Number.isFinite(ms))
      this.#end.push(clock.after(ms, () => this.abort(reason?.())));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (!this.#controller.signal.aborted) this.#controller.abort(reason);
  }

  end(): void {
    for (const end of this.#end.splice(0)) end();
  }
}

/** The promise, or the signal's reason when that aborts first. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
