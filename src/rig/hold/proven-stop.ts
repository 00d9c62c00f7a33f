import { bounded } from '../../lib/clock/bounded.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import { RigError } from '../hardware/rig-error.ts';

export interface ProvenStopOptions<R> {
  device: string;
  /** Stops the device and resolves only when that has been shown. It ends soon after the signal aborts. */
  stop: (signal: AbortSignal) => Promise<R>;
  clock: Clock;
  onProven: (reason: string, result: R) => void;
  /** Of one attempt; the next one follows by itself. */
  onFailed: (reason: string, error: unknown) => void;
  /** Whether the device may act, as far as is known without asking it. Without this it always may. */
  mayAct?: () => boolean;
}

export interface PendingStop {
  /** Why it is to stop, for people. */
  reason: string;
  /** What came of the last attempt; undefined while the first one runs or is still to come. */
  error: unknown;
}

/** One attempt; a read that is repeated once on a silent line fits into it. */
const ATTEMPT_MS = 2000;
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 1000;
/** The lock of another owner is asked for no more often than that. */
const HELD_RETRY_MS = 5000;

/**
 * Stops an actuator and repeats that until it is proven: the state of a device is unknown that has not shown that it
 * stands. At the beginning one that may act does not stand.
 */
export class ProvenStop<R> {
  readonly #options: ProvenStopOptions<R>;
  #pending: PendingStop | undefined;
  #attempt: Promise<R> | undefined;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry = () => {};
  #closed = false;

  constructor(options: ProvenStopOptions<R>) {
    this.#options = options;
    if (this.#mayAct) this.#pending = { reason: 'start', error: undefined };
  }

  /** The stop that is not proven yet; undefined when the device stood when it was last stopped. */
  get pending(): Readonly<PendingStop> | undefined {
    return this.#pending;
  }

  /**
   * Stops now; joins an attempt under way. When it fails it is repeated in the background.
   *
   * @returns what the device showed
   * @throws RigError, LockHeldError: what came of this one attempt
   */
  run(reason: string): Promise<R> {
    this.#attempt ??= this.#begin(reason).finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  /** No further attempt is begun. */
  close(): void {
    this.#closed = true;
    this.#cancelRetry();
  }

  async #begin(reason: string): Promise<R> {
    this.#cancelRetry();
    this.#pending = { reason, error: this.#pending?.error };
    try {
      const result = await this.#bounded();
      this.#pending = undefined;
      this.#retryMs = FIRST_RETRY_MS;
      this.#options.onProven(reason, result);
      return result;
    } catch (error) {
      // One that could not be reached, and was at rest before, has nothing to be stopped for.
      this.#pending = this.#mayAct ? { reason, error } : undefined;
      if (this.#pending) this.#retryLater(reason, error);
      this.#options.onFailed(reason, error);
      throw error;
    }
  }

  #retryLater(reason: string, error: unknown): void {
    if (this.#closed) return;
    const isHeld = error instanceof LockHeldError;
    const delayMs = isHeld ? HELD_RETRY_MS : this.#retryMs;
    if (!isHeld) this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
    this.#cancelRetry = this.#options.clock.after(delayMs, () => void this.run(reason).catch(() => {}));
  }

  #bounded(): Promise<R> {
    const { device, stop, clock } = this.#options;
    const text = `did not show within ${ATTEMPT_MS} ms that it stands; check its line and its supply`;
    const late = () => new RigError('device_timeout', device, text);
    return bounded(stop, { clock, limitMs: ATTEMPT_MS, late });
  }

  get #mayAct(): boolean {
    return this.#options.mayAct?.() ?? true;
  }
}
