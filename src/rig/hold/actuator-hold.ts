import type { Clock } from '../../lib/clock/clock.ts';
import { Expiry } from '../../lib/clock/expiry.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import type { Metrics } from '../../lib/http/metrics.ts';
import { isProblemCode } from '../../lib/http/problem-table.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Seconds } from '../../lib/quantity.ts';
import { RigError, withoutName } from '../hardware/rig-error.ts';
import { countDeviceError } from '../service/translate.ts';
import { type PendingStop, ProvenStop, type ProvenStopOptions } from './proven-stop.ts';

export interface ActuatorHoldOptions<R> extends Pick<ProvenStopOptions<R>, 'stop' | 'mayAct'> {
  device: string;
  /** For people, for example `the pump`. */
  noun: string;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  /** What the device showed when it was stopped, for people. */
  shown: (result: R) => string;
  /** A stop begins: what waits or is under way does not come about any more. */
  onStop?: (reason: string) => void;
}

/** No attempt of the last stop begins later, milliseconds; the service is given longer to end. */
const LAST_STOP_MS = 3000;
const RETRY_MS = 200;

/**
 * The rules of a service that owns an actuator: it acts only while it is held, whatever else happens stops it, a
 * stop is repeated until the device has shown it, and nothing is begun before that.
 */
export class ActuatorHold<R> {
  readonly #options: ActuatorHoldOptions<R>;
  readonly #hold: Expiry;
  readonly #stop: ProvenStop<R>;
  #stops = 0;
  #toldFailure: string | undefined;
  #isClosing = false;

  constructor(options: ActuatorHoldOptions<R>) {
    const { device, clock, logger, metrics, stop, mayAct, shown } = options;
    this.#options = options;
    this.#hold = new Expiry({
      clock,
      onExpired: () => this.stopInBackground('the hold was not renewed'),
    });
    this.#stop = new ProvenStop({
      device,
      clock,
      stop,
      ...(mayAct ? { mayAct } : {}),
      onProven: (reason, result) => {
        this.#toldFailure = undefined;
        logger.info(`stopped (${reason}): ${shown(result)}`);
      },
      onFailed: (reason, error) => {
        countDeviceError(metrics, error);
        const text = `${unproven(reason)}: ${withoutName(device, error)}`;
        // A device that is away for hours is logged once.
        if (text === this.#toldFailure) logger.debug(text);
        else logger.error(text);
        this.#toldFailure = text;
      },
    });
  }

  /** A stop that is not proven yet. */
  get pending(): Readonly<PendingStop> | undefined {
    return this.#stop.pending;
  }

  /** The same as a sentence; undefined when there is none. */
  get pendingText(): string | undefined {
    const { pending } = this;
    if (!pending) return undefined;
    const { reason, error } = pending;
    return unproven(reason) + (error === undefined ? '' : `: ${withoutName(this.#options.device, error)}`);
  }

  /** Whether a hold runs. */
  get isHeld(): boolean {
    return this.#hold.active;
  }

  /** Seconds until it is stopped unless it is renewed; null when no hold runs. */
  get remainingS(): number | null {
    const { remainingMs } = this.#hold;
    return remainingMs === null ? null : remainingMs / 1000;
  }

  /** Stops so far: what began before one and ends after it has not come about. */
  get stops(): number {
    return this.#stops;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /**
   * Whether something may be begun.
   *
   * @throws HttpError `safe_state_in_progress` while it is being stopped, or the service ends; RigError, LockHeldError
   *   for what stands in the way of a stop that is not proven
   */
  admit(): void {
    const { device, noun } = this.#options;
    if (this.#isClosing) {
      const text = `the service is shutting down and leaves ${noun} stopped`;
      throw new HttpError('safe_state_in_progress', text);
    }
    const { pending, pendingText } = this;
    if (!pending) return;
    const { error, reason } = pending;
    if (error === undefined) {
      const text = `${noun} is being stopped (${reason}); try again when that has ended`;
      throw new HttpError('safe_state_in_progress', text);
    }
    if (!(error instanceof CodedError) || error instanceof LockHeldError) throw error;
    const members = error instanceof RigError ? error.members : {};
    const code = isProblemCode(error.code) ? error.code : 'device_error';
    throw new RigError(code, device, pendingText ?? '', error, members);
  }

  /** A hold begins, whatever was before. @param holdS seconds */
  begin(holdS: Seconds): void {
    this.#hold.renew(holdS * 1000);
  }

  /** Lets the hold that runs end later or earlier; one that is over is not brought back. @param holdS seconds */
  renew(holdS: Seconds): void {
    if (this.#hold.active) this.#hold.renew(holdS * 1000);
  }

  /** What was held has come to its end by itself. */
  release(): void {
    this.#hold.clear();
  }

  /** Stops, ahead of all that waits or is under way. @throws RigError, LockHeldError; it is repeated then */
  stop(reason: string): Promise<R> {
    this.#stops += 1;
    this.#hold.clear();
    this.#options.onStop?.(reason);
    return this.#stop.run(reason);
  }

  /** The same for what has no waiting caller. */
  stopInBackground(reason: string): void {
    this.#options.logger.warn(`stopping: ${reason}`);
    this.stop(reason).catch(() => {});
  }

  /**
   * Nothing is begun any more, then the last stop, again and again within its time. A device that another owner has is
   * not stopped by waiting.
   *
   * @returns whether it is proven, or nothing was there to stop
   */
  async shutDown(reason: string): Promise<boolean> {
    const { clock, mayAct } = this.#options;
    this.#isClosing = true;
    const lastAt = clock.monotonic() + LAST_STOP_MS;
    try {
      for (;;) {
        try {
          await this.stop(reason);
          return true;
        } catch (thrown) {
          if (mayAct?.() === false) return true;
          if (thrown instanceof LockHeldError || clock.monotonic() + RETRY_MS > lastAt) return false;
          await clock.sleep(RETRY_MS);
        }
      }
    } finally {
      this.#stop.close();
    }
  }
}

const unproven = (reason: string) => `not proven to be stopped (${reason})`;
