import { CoalescedCall } from './coalesced-call.ts';

/**
 * Calls of which many ask for the same at once. A caller that asks while one runs shares the next one with all others who do, so
 * that no result was begun before it was asked for, and at most two calls of a key exist however many ask.
 */
export class CoalescedCalls {
  /** Not begun yet. */
  readonly #next = new Map<string, CoalescedCall<unknown>>();
  readonly #running = new Map<string, Promise<void>>();

  /**
   * @param key stands for one kind of work; few of them
   * @throws what the work throws; the signal's reason
   */
  call<T>(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const waiting = this.#next.get(key) as CoalescedCall<T> | undefined;
    if (waiting && !waiting.isCancelled) return waiting.join(signal);
    const before = this.#running.get(key);
    const made = new CoalescedCall<T>(async (own) => {
      await before;
      this.#begin(key, made);
      own.throwIfAborted();
      return work(own);
    });
    this.#next.set(key, made);
    return made.join(signal);
  }

  #begin(key: string, call: CoalescedCall<never> | CoalescedCall<unknown>): void {
    if (this.#next.get(key) === call) this.#next.delete(key);
    const settled = call.settled().then(() => {
      if (this.#running.get(key) === settled) this.#running.delete(key);
    });
    this.#running.set(key, settled);
  }
}
