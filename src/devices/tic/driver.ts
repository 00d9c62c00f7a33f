import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import { type JobEnd, type JobOptions, JobQueue } from '../../lib/queue/job-queue.ts';
import type { UsbControl } from '../../transports/usb/usb-control.ts';
import type { ConnectionState } from '../connection.ts';
import { DeviceError, namedError } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { queueEnd } from '../queue-end.ts';
import { Activity, errorText, type Motion, type MotionEnd, motionErrorOf } from './activity.ts';
import { DEVICE } from './control-link.ts';
import { startBlocker } from './course.ts';
import { LIMITS_SINCE } from './identity.ts';
import { KEEP_ALIVE_LIMIT_MS, MotionSupervisor } from './keeper.ts';
import { type MotionOptions, type Move, type Run, rangeFault, type TicOptions } from './orders.ts';
import * as requests from './requests.ts';
import { type TicReport, TicSession } from './session.ts';
import { DEFAULT_PROFILE } from './settings.ts';
import { energizing, homing, type Start, startMotion, toSpeed, toTarget } from './start.ts';
import { statusOf, type TicStatus } from './status.ts';
import type { TicVariables } from './variables.ts';

export type { Exchange } from '../exchange.ts';
export type { Motion, MotionEnd } from './activity.ts';
export { MAX_STEPS, type MotionOptions, type Move, type Run, type TicOptions } from './orders.ts';
export type { Direction } from './requests.ts';
export type { TicReport } from './session.ts';
export type { TicStatus } from './status.ts';

const DEADLINE_MS = 5000;
/** Most callers that may wait; one more place is kept for what keeps a motion alive. */
const WAITERS = 16;
/** How often a motion is looked at and kept alive. */
const POLL_MS = 100;
const SAFE_ATTEMPTS = 3;

/**
 * The lung motor behind a Tic T249. It moves only while this driver keeps it alive;
 * whatever ends a motion also de-energizes the motor, and no motion is ever repeated by itself.
 */
export class TicT249 {
  readonly #describe: (end: JobEnd, cause?: unknown) => DeviceError;
  readonly #clock: Clock;
  readonly #minVinMv: number;
  readonly #homingLimitMs: Milliseconds;
  readonly #queue: JobQueue;
  readonly #session: TicSession;
  readonly #keeper: MotionSupervisor;
  #activity: Activity | undefined;
  #lastMotionError: TicStatus['lastMotionError'] = null;

  constructor(usb: UsbControl, options: TicOptions = {}) {
    this.#describe = (end, cause) => namedError(queueEnd(end, usb.address, cause), DEVICE);
    this.#clock = options.clock ?? systemClock;
    this.#minVinMv = Math.round(1000 * (options.minVinV ?? 10));
    this.#homingLimitMs = options.homingLimitMs ?? 20_000;
    this.#session = new TicSession(usb, { clock: this.#clock, profile: options.profile ?? DEFAULT_PROFILE });
    this.#demand({ homingLimitMs: this.#homingLimitMs });
    if (!(this.#minVinMv >= 0 && this.#minVinMv <= 40_000)) {
      const message = `minVinV ${options.minVinV} is not a number from 0 to 40`;
      throw this.#session.fail('setting_refused', message);
    }
    this.#keeper = new MotionSupervisor(this.#session, {
      clock: this.#clock,
      minVinMv: this.#minVinMv,
      homingLimitMs: this.#homingLimitMs,
    });
    this.#queue = new JobQueue({
      clock: this.#clock,
      limit: WAITERS + 1,
      deadlineMs: DEADLINE_MS,
      describe: this.#describe,
    });
  }

  get state(): ConnectionState {
    return this.#session.state;
  }

  /** What was found at the last opening; undefined before the first. */
  get report(): TicReport | undefined {
    return this.#session.report;
  }

  /** Whether a motion is under way or held. */
  get isBusy(): boolean {
    return this.#activity !== undefined;
  }

  /** Whether the driver still keeps the motor for this motion. */
  isHeld(motion: Motion): boolean {
    return this.#activity === motion;
  }

  /**
   * Identifies the device, halts and de-energizes it, and reads its settings. Done again by itself after every
   * re-open.
   *
   * @throws DeviceError `wrong_device`, `device_unavailable`, `device_timeout`, `device_error`, `corrupt_response`;
   *   nothing goes on in the background then
   */
  async open(): Promise<TicReport> {
    await this.#session.open();
    const { report } = this.#session;
    if (report) return report;
    throw this.#session.fail('device_unavailable', 'it is being opened; ask again later', {
      reason: 'opening',
    });
  }

  /** Makes safe, then closes. @throws DeviceError when the motor was not proven safe; it is closed all the same */
  async close(): Promise<void> {
    try {
      if (this.state !== 'closed') await this.stop();
    } finally {
      this.#queue.close();
      await this.#session.close();
    }
  }

  /** @throws DeviceError `device_unavailable`, `device_timeout`, `device_error`, `corrupt_response`; of the queue */
  status(options: Exchange = {}): Promise<TicStatus> {
    const work = async (signal: AbortSignal) => {
      await this.#session.ready(signal);
      return this.#status(await this.#session.read(signal));
    };
    return this.#enqueue(work, options);
  }

  /**
   * Goes `steps` from where it is. Resolves when motion was seen.
   *
   * @throws DeviceError `value_out_of_range`; `device_busy` while another motion is under way; `device_error`,
   *   `lung_low_vin` and `lung_limits_blocked` of the checks before; `lung_start_failed` when no motion was seen within
   *   500 ms; those of `status`. The motor is de-energized then; where that could not be proven the device is opened
   *   anew, which does it.
   */
  async move(move: Move): Promise<Motion> {
    this.#demand({ steps: move.steps });
    return this.#start(move, toTarget(move.direction, move.steps, this.#tuning(move)));
  }

  /** Goes on at `speed` until it is stopped. @throws as `move` */
  async velocity(run: Run): Promise<Motion> {
    return this.#start(run, toSpeed(run.direction, run.speed, this.#tuning(run)));
  }

  /** Homing at the device's own speeds, with a time limit. @throws as `move` */
  async home(options: MotionOptions & { direction: requests.Direction }): Promise<Motion> {
    const { report } = this.#session;
    if (report && report.bcdDevice < LIMITS_SINCE) {
      const message = `firmware ${report.firmware} has no homing; 1.06 or newer is needed`;
      throw this.#session.fail('device_error', message, { reason: 'firmware' });
    }
    return this.#start(options, homing(options.direction, this.#homingLimitMs));
  }

  /** Puts current into the coils and keeps it there until a motion is asked for, or a stop. @throws as `move` */
  async energize(options: Exchange = {}): Promise<Motion> {
    return this.#start({ ...options, hold: true }, energizing());
  }

  /**
   * Halts, de-energizes and enters safe start, and reads back that it is so. Goes ahead of all waiting work and ends
   * every motion; may be repeated.
   *
   * @throws DeviceError when it could not be proven: the motor may have current then
   */
  async stop(options: Exchange = {}): Promise<TicStatus> {
    const activity = this.#activity;
    this.#activity = undefined;
    activity?.abandon();
    try {
      const seen = await this.#makeSafe(options);
      activity?.finish({ ...this.#keeper.ending('stopped', activity), position: seen.position });
      return this.#status(seen);
    } catch (error) {
      activity?.finish(this.#keeper.ending('failed', activity, error));
      throw error;
    }
  }

  #tuning(run: Run): () => requests.TicRequest[] {
    const { speed, acceleration } = run;
    this.#demand({ speed, acceleration });
    return () => {
      const own = this.#session.report?.settings.maxAcceleration;
      const wanted = acceleration ?? own ?? requests.MIN_ACCELERATION;
      return [requests.maxSpeed(speed), requests.maxAcceleration(wanted)];
    };
  }

  #start(options: MotionOptions, start: Start): Promise<Motion> {
    const { from, hold, ...exchange } = options;
    const work = async (signal: AbortSignal) => {
      await this.#session.ready(signal);
      const held = this.#held(from);
      const before = await this.#session.read(signal);
      const course = start.course(before);
      let mayHaveCurrent = held !== undefined;
      try {
        const blocker = startBlocker(before, course, this.#minVinMv);
        if (blocker) throw this.#session.errorOf(blocker);
        // The commands of the start keep it alive from here on.
        held?.abandon();
        mayHaveCurrent = true;
        const begun = await startMotion({ start, course, before, signal }, this.#session, {
          clock: this.#clock,
          minVinMv: this.#minVinMv,
        });
        const heardMs = await this.#keeper.keepAlive(begun.heardMs, signal);
        signal.throwIfAborted();
        const nowMs = this.#clock.monotonic();
        const from = before.position;
        const activity = new Activity({
          course,
          from,
          holds: hold === true,
          seen: begun.seen,
          nowMs,
          heardMs,
        });
        if (start.limitMs !== undefined) activity.endsAtMs = nowMs + start.limitMs;
        this.#activity = activity;
        this.#lastMotionError = null;
        held?.finish(this.#keeper.ending('handed_on', held));
        void this.#watch(activity);
        return activity;
      } catch (error) {
        this.#lastMotionError = errorText(error);
        if (mayHaveCurrent) await this.#releaseAfter(error, held);
        throw error;
      }
    };
    return this.#enqueue(work, { ...exchange, actuates: true });
  }

  #enqueue<T>(work: (signal: AbortSignal) => Promise<T>, options: JobOptions): Promise<T> {
    const isFull = options.priority !== 'safe' && this.#queue.waiting >= WAITERS;
    return isFull ? Promise.reject(this.#describe('full')) : this.#queue.run(work, options);
  }

  /** The motion that a start goes on from. @throws DeviceError when it must not */
  #held(from: Motion | undefined): Activity | undefined {
    const activity = this.#activity;
    if (from !== undefined && from !== activity) {
      const message = 'the motion to go on from is no longer held; start anew';
      throw this.#session.fail('device_error', message, { reason: 'not_held' });
    }
    if (activity === undefined) return undefined;
    const isAtRest = activity.course.kind === 'hold';
    if (isAtRest && (from === activity || activity.yields)) return activity;
    throw this.#session.fail('device_busy', 'a motion is under way; stop it first', { reason: 'moving' });
  }

  /** A start that failed leaves nothing energized. */
  async #releaseAfter(error: unknown, held: Activity | undefined): Promise<void> {
    if (held && this.#activity === held) {
      this.#activity = undefined;
      held.finish(this.#keeper.ending('failed', held, error));
    }
    // A stop does it next; a handle that was lost is opened anew, which does it.
    const isStopNext = error instanceof DeviceError && error.code === 'superseded';
    if (isStopNext || this.state !== 'open') return;
    try {
      await this.#session.makeSafe(new AbortController().signal);
    } catch (cause) {
      this.#session.distrust(cause);
    }
  }

  async #watch(activity: Activity): Promise<void> {
    const { signal } = activity;
    while (!signal.aborted) {
      try {
        await this.#clock.sleep(POLL_MS, signal);
        const job = { actuates: true, signal, deadlineMs: KEEP_ALIVE_LIMIT_MS };
        const end = await this.#queue.run((running) => this.#keeper.look(activity, running), job);
        if (end && activity.holds) activity.rest(end);
        else if (end) await this.#end(activity, end);
      } catch (error) {
        if (signal.aborted) return;
        await this.#end(activity, this.#keeper.ending('failed', activity, error));
      }
    }
  }

  /** Ends a motion for a reason of its own, and de-energizes. */
  async #end(activity: Activity, end: MotionEnd): Promise<void> {
    if (this.#activity !== activity) return;
    this.#activity = undefined;
    activity.abandon();
    this.#lastMotionError = motionErrorOf(end);
    try {
      await this.#makeSafe({});
      activity.finish(end);
    } catch (error) {
      this.#lastMotionError ??= errorText(error);
      activity.finish(end.error ? end : this.#keeper.ending('failed', activity, error));
    }
  }

  /**
   * Tried again when the handle was lost on the way: opening it anew makes safe as well. When all fails the handle is
   * closed, and what opens it again goes on trying.
   */
  async #makeSafe(options: Exchange): Promise<TicVariables> {
    const work = async (signal: AbortSignal) => {
      for (let attempt = 1; ; attempt += 1) {
        await this.#session.ready(signal, true);
        try {
          return await this.#session.makeSafe(signal);
        } catch (error) {
          if (signal.aborted || attempt >= SAFE_ATTEMPTS) throw error;
        }
      }
    };
    try {
      return await this.#queue.run(work, { ...options, priority: 'safe' });
    } catch (error) {
      this.#session.distrust(error);
      throw error;
    }
  }

  #status(seen: TicVariables): TicStatus {
    const lastMotionError = this.#lastMotionError;
    return statusOf(seen, { minVinMv: this.#minVinMv, observedAt: this.#clock.now(), lastMotionError });
  }

  #demand(order: Parameters<typeof rangeFault>[0]): void {
    const fault = rangeFault(order);
    if (fault !== undefined) throw this.#session.fail('value_out_of_range', fault);
  }
}
