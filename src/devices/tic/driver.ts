import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { JobQueue } from '../../lib/queue/job-queue.ts';
import type { UsbControl } from '../../transports/usb/usb-control.ts';
import { DeviceError } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { queueEnd } from '../queue-end.ts';
import { Activity, type Motion, type MotionEnd } from './activity.ts';
import { TicConnection, type TicConnectionState } from './connection.ts';
import { ControlLink, DEVICE } from './control-link.ts';
import { type Course, type Fault, hardFault, judge, startBlocker } from './course.ts';
import { errorNames } from './errors.ts';
import { identify, type TicIdentity } from './identity.ts';
import * as requests from './requests.ts';
import {
  DEFAULT_PROFILE,
  decodeSettings,
  differences,
  SETTINGS_BYTES,
  type SettingDifference,
  type TicProfile,
  type TicSettings,
} from './settings.ts';
import { statusOf, type TicStatus } from './status.ts';
import { decodeVariables, type TicVariables, VARIABLES_BYTES } from './variables.ts';

export type { Exchange } from '../exchange.ts';
export type { Motion, MotionEnd } from './activity.ts';
export type { TicConnectionState } from './connection.ts';
export type { TicIdentity } from './identity.ts';
export type { Direction } from './requests.ts';
export type { SettingDifference, TicProfile, TicSettings } from './settings.ts';
export type { TicStatus } from './status.ts';

const DEADLINE_MS = 5000;
const WAITERS = 16;
/** How often a motion is looked at and kept alive. */
const POLL_MS = 100;
/** Between looks for the first sign of motion. */
const START_POLL_MS = 20;
/** A motion that is not kept alive for so long is ended, before the device does it by itself after 1000 ms. */
const KEEP_ALIVE_LIMIT_MS = 500;
/** Within this time motion is seen, or the start has failed. */
const MOTION_SEEN_MS = 500;
/** A block that contradicts itself was taken between two of the device's own steps; it is read again. */
const READ_ATTEMPTS = 3;
const READ_PAUSE_MS = 2;
const SAFE_ATTEMPTS = 3;

export interface TicOptions {
  clock?: Clock;
  /** Volts below which the lung is not started (`SVC_LUNG_MIN_VIN_V`). Default 10.0. */
  minVinV?: number;
  /** Milliseconds after which homing has failed; without a switch it would never end. Default 20000. */
  homingLimitMs?: number;
  /** Settings as they should be; differences are reported and never written. */
  profile?: TicProfile;
}

export interface TicReport extends TicIdentity {
  settings: TicSettings;
  differences: SettingDifference[];
  observedAt: number;
}

export interface MotionOptions extends Exchange {
  /** Stay energized at the end and keep alive, for a motion that follows. Default false: de-energize. */
  hold?: boolean;
  /** Go on from this motion, which must still be held; without it nothing may be under way. */
  from?: Motion;
}

export interface Move extends MotionOptions {
  /** Microsteps, 1..1000000. */
  steps: number;
  /** 1/10000 step/s, 1..500000000. */
  speed: number;
  direction: requests.Direction;
  /** 1/100 step/s2, 100..2147483647. Default: the device's setting. */
  acceleration?: number;
}

export const MAX_STEPS = 1_000_000;

interface Start {
  course: (seen: TicVariables) => Course;
  commands: (course: Course) => requests.TicRequest[];
  /** The sign that it began, beside no error. */
  hasBegun: (seen: TicVariables, before: TicVariables) => boolean;
  limitMs?: number;
}

/**
 * The lung motor behind a Tic T249 (devices.md sections 4 and 10). Nothing moves unless this driver keeps it alive;
 * whatever ends a motion also de-energizes the motor, and no motion is ever repeated by itself.
 */
export class TicT249 {
  readonly #usb: UsbControl;
  readonly #clock: Clock;
  readonly #minVinMv: number;
  readonly #homingLimitMs: number;
  readonly #profile: TicProfile;
  readonly #queue: JobQueue;
  readonly #link: ControlLink;
  readonly #connection: TicConnection;
  #report: TicReport | undefined;
  #activity: Activity | undefined;
  #lastMotionError: TicStatus['lastMotionError'] = null;

  constructor(usb: UsbControl, options: TicOptions = {}) {
    this.#usb = usb;
    this.#clock = options.clock ?? systemClock;
    this.#minVinMv = Math.round(1000 * (options.minVinV ?? 10));
    this.#homingLimitMs = options.homingLimitMs ?? 20_000;
    this.#profile = options.profile ?? DEFAULT_PROFILE;
    this.#queue = new JobQueue({
      clock: this.#clock,
      limit: WAITERS,
      deadlineMs: DEADLINE_MS,
      describe: (end, cause) => queueEnd(end, usb.address, cause).named(DEVICE),
    });
    const clock = this.#clock;
    this.#link = new ControlLink({
      usb,
      clock,
      lost: (state, cause) => this.#connection.lost(state, cause),
    });
    this.#connection = new TicConnection({ usb, clock, prepare: (signal) => this.#prepare(signal) });
  }

  get state(): TicConnectionState {
    return this.#connection.state;
  }

  /** What was found at the last opening; undefined before the first. */
  get report(): TicReport | undefined {
    return this.#report;
  }

  /** Whether a motion is under way or held. */
  get isBusy(): boolean {
    return this.#activity !== undefined;
  }

  /**
   * Identifies the device, halts and de-energizes it, and reads its settings. Repeated by itself after every re-open.
   *
   * @throws DeviceError `wrong_device`, `device_unavailable`, `device_timeout`, `device_error`, `corrupt_response`
   */
  async open(): Promise<TicReport> {
    await this.#connection.open();
    if (this.#report) return this.#report;
    throw this.#link.fail('device_unavailable', 'it is being opened; ask again later', { reason: 'opening' });
  }

  /** Makes safe, then closes. @throws DeviceError when the motor could not be proven safe; it is closed all the same */
  async close(): Promise<void> {
    try {
      if (this.state !== 'closed') await this.stop();
    } finally {
      this.#queue.close();
      await this.#connection.close();
    }
  }

  /** @throws DeviceError `device_unavailable`, `device_timeout`, `device_error`, `corrupt_response`, and of the queue */
  status(options: Exchange = {}): Promise<TicStatus> {
    return this.#queue.run(async (signal) => {
      await this.#connection.ready(signal);
      return this.#status(await this.#read(signal));
    }, options);
  }

  /**
   * Goes `steps` from where it is. Resolves when the motion was seen to begin.
   *
   * @throws DeviceError `value_out_of_range`; `device_busy` while another motion is under way; `device_error`,
   *   `lung_low_vin`, `lung_limits_blocked` before anything was sent; `lung_start_failed` when no motion was seen
   *   within 500 ms; those of `status`. After each of them the motor is de-energized, or the error says that this could not be proven.
   */
  async move(move: Move): Promise<Motion> {
    const { steps, direction } = move;
    this.#demand('steps', steps, 1, MAX_STEPS);
    const tuning = this.#tuning(move);
    const signed = direction === 'forward' ? steps : -steps;
    return this.#start(move, {
      course: (seen) => ({ kind: 'position', direction, target: (seen.position + signed) | 0 }),
      commands: (course) =>
        course.kind === 'position' ? [...tuning(), requests.targetPosition(course.target)] : [],
      hasBegun: stepsMade,
    });
  }

  /** Goes on at `speed` until it is stopped. @throws as `move` */
  async velocity(move: Omit<Move, 'steps'>): Promise<Motion> {
    const { direction, speed } = move;
    const tuning = this.#tuning(move);
    const velocity = direction === 'forward' ? speed : -speed;
    return this.#start(move, {
      course: () => ({ kind: 'velocity', direction, velocity }),
      commands: () => [...tuning(), requests.targetVelocity(velocity)],
      hasBegun: stepsMade,
    });
  }

  /** Homing at the device's own speeds, ended after the time limit. @throws as `move` */
  async home(options: MotionOptions & { direction: requests.Direction }): Promise<Motion> {
    const { direction } = options;
    return this.#start(options, {
      course: () => ({ kind: 'homing', direction }),
      commands: () => [requests.goHome(direction)],
      hasBegun: (seen, before) => seen.homing || stepsMade(seen, before),
      limitMs: this.#homingLimitMs,
    });
  }

  /** Puts current into the coils and holds, until something else is asked for. @throws as `move` */
  async energize(options: Exchange = {}): Promise<Motion> {
    const motion = await this.#start(
      { ...options, hold: true },
      {
        course: () => ({ kind: 'hold' }),
        commands: () => [],
        hasBegun: (seen) => seen.energized && seen.errorStatus === 0,
      },
    );
    return motion;
  }

  /**
   * Halts, de-energizes and enters safe start, and reads back that it is so. Goes ahead of all waiting work, ends
   * every motion, and may be repeated.
   *
   * @throws DeviceError when it could not be proven: the motor may be energized then
   */
  stop(options: Exchange = {}): Promise<TicStatus> {
    return this.#safely((signal) => this.#makeSafe(signal), options);
  }

  /** Halts, and reads back that the velocity is 0; the coils keep their current. Otherwise as `stop`. */
  halt(options: Exchange = {}): Promise<TicStatus> {
    return this.#safely(async (signal) => {
      await this.#link.out(requests.haltAndHold(), signal);
      const seen = await this.#read(signal);
      if (seen.velocity !== 0) throw this.#notSafe(seen);
      return seen;
    }, options);
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    const identity = identify(this.#usb.identity, this.#link);
    await this.#makeSafe(signal);
    const settings = await this.#repeated(signal, async () =>
      decodeSettings(await this.#link.in(requests.readSettings(0, SETTINGS_BYTES), signal)),
    );
    this.#report = {
      ...identity,
      settings,
      differences: [...identity.differences, ...differences(settings, this.#profile)],
      observedAt: this.#clock.now(),
    };
  }

  #start(options: MotionOptions, start: Start): Promise<Motion> {
    const { from, hold, ...exchange } = options;
    return this.#queue.run(
      async (signal) => {
        await this.#connection.ready(signal);
        this.#demandFree(from);
        const before = await this.#read(signal);
        const course = start.course(before);
        const blocker = startBlocker(before, course, this.#minVinMv);
        if (blocker) throw this.#refused(blocker);
        try {
          const heardMs = await this.#command(start.commands(course), signal);
          const begun = await this.#untilBegun(start, course, before, heardMs, signal);
          return this.#begin(begun, { holds: hold === true, limitMs: start.limitMs });
        } catch (error) {
          await this.#afterFailedStart(error, signal);
          throw error;
        }
      },
      { ...exchange, actuates: true },
    );
  }

  /** @returns when the last of them was sent, monotonic */
  async #command(commands: requests.TicRequest[], signal: AbortSignal): Promise<number> {
    let sentMs = this.#clock.monotonic();
    for (const request of [requests.energize(), requests.exitSafeStart(), ...commands]) {
      sentMs = this.#clock.monotonic();
      await this.#link.out(request, signal);
    }
    return sentMs;
  }

  async #untilBegun(start: Start, course: Course, before: TicVariables, heardMs: number, signal: AbortSignal) {
    const endMs = this.#clock.monotonic() + MOTION_SEEN_MS;
    for (;;) {
      // Clears "errors occurred", so that from here on each error is one of this motion.
      const seen = await this.#read(signal, requests.readVariablesAndClearErrors(0, VARIABLES_BYTES));
      const fault = hardFault(seen, this.#minVinMv);
      if (fault) throw this.#refused(fault);
      const nowMs = this.#clock.monotonic();
      if (start.hasBegun(seen, before) && nowMs <= endMs)
        return { course, before, seen, heardMs, nowMs };
      if (nowMs >= endMs) {
        const errors = errorNames(seen.errorStatus);
        const why = errors.length > 0 ? `the Tic reports ${errors.join(', ')}` : 'the Tic reports no error';
        const message = `no motion was seen within ${MOTION_SEEN_MS} ms; ${why}; check the kill switch, the control mode and the motor`;
        throw this.#link.fail('lung_start_failed', message, { reason: 'no_motion', sent: true });
      }
      await this.#clock.sleep(START_POLL_MS, signal);
    }
  }

  #begin(
    begun: { course: Course; before: TicVariables; seen: TicVariables; heardMs: number; nowMs: number },
    options: { holds: boolean; limitMs: number | undefined },
  ): Activity {
    const activity = new Activity({ ...begun, from: begun.before.position, holds: options.holds });
    if (options.limitMs !== undefined) activity.endsAtMs = begun.nowMs + options.limitMs;
    this.#activity?.finish(this.#ending('handed_on', this.#activity));
    this.#activity = activity;
    this.#lastMotionError = null;
    void this.#watch(activity);
    return activity;
  }

  /** A start that failed leaves nothing energized. After a time-out the re-opening sees to it. */
  async #afterFailedStart(error: unknown, signal: AbortSignal): Promise<void> {
    this.#lastMotionError = errorText(error);
    const held = this.#activity;
    this.#activity = undefined;
    held?.finish(this.#ending('failed', held, error));
    if (this.state !== 'open') return;
    // What superseded it stops the motor next; whoever else ended it does not.
    const unhindered = new AbortController().signal;
    try {
      if (signal.aborted) for (const request of SAFE) await this.#link.out(request, unhindered);
      else await this.#makeSafe(unhindered);
    } catch (cause) {
      this.#connection.lost('reopening', cause);
    }
  }

  async #watch(activity: Activity): Promise<void> {
    while (!activity.signal.aborted) {
      try {
        await this.#clock.sleep(POLL_MS, activity.signal);
        await this.#queue.run((signal) => this.#look(activity, signal), {
          actuates: true,
          signal: activity.signal,
          deadlineMs: KEEP_ALIVE_LIMIT_MS,
        });
      } catch (error) {
        if (activity.signal.aborted) return;
        const isTurnMissed = error instanceof DeviceError && error.code === 'device_busy';
        if (isTurnMissed && this.#clock.monotonic() - activity.heardMs < KEEP_ALIVE_LIMIT_MS) continue;
        await this.#end(activity, this.#ending('failed', activity, error));
      }
    }
  }

  /** One look at a motion: judged first, and kept alive only when all is well. */
  async #look(activity: Activity, signal: AbortSignal): Promise<void> {
    await this.#connection.ready(signal);
    const seen = await this.#read(signal);
    if (activity.signal.aborted) return;
    const nowMs = this.#clock.monotonic();
    const before = activity.before;
    activity.observe(seen, nowMs);
    const stillMs = nowMs - activity.stillSinceMs;
    const verdict = judge(activity.course, seen, { before, stillMs, minVinMv: this.#minVinMv });
    if (verdict.kind === 'fault') throw this.#refused(verdict.fault);
    if (verdict.kind === 'limit') {
      const end = { ...this.#ending('limit', activity), limit: verdict.limit };
      // The target beyond the switch is still in force: it would go on when the switch opens.
      if (activity.holds) await this.#link.out(requests.haltAndHold(), signal);
      return this.#atRest(activity, end);
    }
    if (verdict.kind === 'arrived') return this.#atRest(activity, this.#ending('arrived', activity));
    if (nowMs >= activity.endsAtMs) {
      const message = `homing did not end within ${this.#homingLimitMs} ms; check the limit switch and the direction`;
      throw this.#link.fail('device_error', message, { reason: 'homing_limit', sent: true });
    }
    await this.#keepAlive(activity, signal);
  }

  async #keepAlive(activity: Activity, signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonic();
    if (nowMs - activity.heardMs > KEEP_ALIVE_LIMIT_MS) {
      // Later it might set a motor going again that the device had stopped by its own command timeout.
      const message = `the motion was not kept alive for ${Math.round(nowMs - activity.heardMs)} ms`;
      throw this.#link.fail('device_timeout', message, { reason: 'keep_alive', sent: true });
    }
    await this.#link.out(requests.resetCommandTimeout(), signal);
    activity.heardMs = nowMs;
    if (this.#report?.settings.safeStartDisabled === false)
      await this.#link.out(requests.exitSafeStart(), signal);
  }

  #atRest(activity: Activity, end: MotionEnd): void {
    if (activity.holds) {
      activity.endsAtMs = Number.POSITIVE_INFINITY;
      activity.rest(end);
    } else {
      void this.#end(activity, end);
    }
  }

  /** Ends a motion for a reason of its own, and de-energizes. */
  async #end(activity: Activity, end: MotionEnd): Promise<void> {
    if (this.#activity !== activity) return;
    this.#activity = undefined;
    activity.abandon();
    this.#lastMotionError = end.error ? errorText(end.error) : null;
    try {
      await this.#safely((signal) => this.#makeSafe(signal), {});
      activity.finish(end);
    } catch (error) {
      this.#lastMotionError = errorText(end.error ?? error);
      activity.finish(end.error ? end : this.#ending('failed', activity, error));
    }
  }

  /** A safe-state job: ends what is under way at once, and is tried again when the handle was lost on the way. */
  async #safely(work: (signal: AbortSignal) => Promise<TicVariables>, options: Exchange): Promise<TicStatus> {
    const activity = this.#activity;
    this.#activity = undefined;
    activity?.abandon();
    try {
      const seen = await this.#queue.run((signal) => this.#insisting(work, signal), {
        ...options,
        priority: 'safe',
      });
      activity?.finish({ ...this.#ending('stopped', activity), position: seen.position });
      return this.#status(seen);
    } catch (error) {
      activity?.finish(this.#ending('failed', activity, error));
      throw error;
    }
  }

  async #insisting(work: (signal: AbortSignal) => Promise<TicVariables>, signal: AbortSignal) {
    for (let attempt = 1; ; attempt += 1) {
      await this.#connection.ready(signal, true);
      try {
        return await work(signal);
      } catch (error) {
        if (signal.aborted || attempt >= SAFE_ATTEMPTS) throw error;
      }
    }
  }

  /** All three are sent whatever became of the others; what counts is what is read back. */
  async #makeSafe(signal: AbortSignal): Promise<TicVariables> {
    for (const request of SAFE) {
      try {
        await this.#link.out(request, signal);
      } catch (error) {
        const isRefused = error instanceof DeviceError && error.reason === 'usb_stall';
        if (!isRefused) throw error;
      }
    }
    const seen = await this.#read(signal);
    if (seen.energized || seen.velocity !== 0) throw this.#notSafe(seen);
    return seen;
  }

  #notSafe(seen: TicVariables): DeviceError {
    const message = `the motor is not stopped: energized ${seen.energized}, velocity ${seen.velocity}; switch its supply off`;
    return this.#link.fail('device_error', message, { reason: 'not_stopped', sent: true });
  }

  #read(
    signal: AbortSignal,
    request = requests.readVariables(0, VARIABLES_BYTES),
  ): Promise<TicVariables> {
    return this.#repeated(signal, async () => decodeVariables(await this.#link.in(request, signal)));
  }

  /** A reading, repeated when what came cannot be meant. */
  async #repeated<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read();
      } catch (error) {
        const isOdd = error instanceof RangeError;
        const isRefused = error instanceof DeviceError && (error.reason === 'usb_stall' || error.reason === 'short');
        if (!isOdd && !isRefused) throw error;
        if (attempt >= READ_ATTEMPTS)
          throw isOdd ? this.#link.fail('corrupt_response', error.message, { reason: 'range', sent: true }) : error;
      }
      await this.#clock.sleep(READ_PAUSE_MS, signal);
    }
  }

  #status(seen: TicVariables): TicStatus {
    const { lastMotionError } = this.#at;
    return statusOf(seen, { minVinMv: this.#minVinMv, observedAt: this.#clock.now(), lastMotionError });
  }
}
