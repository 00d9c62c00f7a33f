import { motionErrorOf } from '../../../devices/tic/activity.ts';
import type { MotionEnd, TicReport, TicStatus, TicT249 } from '../../../devices/tic/driver.ts';
import { plannedMs, type StrokeOrder, startStrokes } from '../../../devices/tic/strokes.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import type { LungReading } from '../lung-data.ts';
import type { LungDirection, LungMotion } from '../ports.ts';
import { asRigError, RigError } from '../rig-error.ts';
import type { LungDriver } from './lung.ts';
import type { LungRecord } from './tic-lung-record.ts';
import { lungReading } from './tic-lung-status.ts';

const DEVICE = 'lung-motor';

/** A reading waits so long for its turn and its answer: less than who asks over HTTP waits. */
const READ_LIMIT_MS = 2300;

export interface TicLungOptions {
  clock: Clock;
  record: LungRecord;
  /** A motion ended, and that the motor stands still without current could not be proven. */
  onLost: (cause: unknown) => void;
}

type End = Pick<MotionEnd, 'error' | 'limit'>;

/** A motion or a run that was seen to begin. */
interface Begun {
  /** Never rejects. */
  readonly ended: Promise<End>;
}

/** The lung on a Tic T249: one motion at a time. @throws RigError, all methods */
export class TicLung implements LungDriver {
  readonly #tic: TicT249;
  readonly #clock: Clock;
  readonly #record: LungRecord;
  readonly #onLost: (cause: unknown) => void;
  /** The motion that is being started or under way. */
  #motion: object | undefined;
  /** Stops that were asked for: a start that was under way at one has not come about. */
  #stops = 0;
  /** Orders to energize that have not come about or failed yet. */
  #energizing = 0;

  constructor(tic: TicT249, { clock, record, onLost }: TicLungOptions) {
    this.#tic = tic;
    this.#clock = clock;
    this.#record = record;
    this.#onLost = onLost;
  }

  /** Whether a motion is being started or under way. */
  get isUnderWay(): boolean {
    return this.#motion !== undefined;
  }

  /** What was found at the last opening. */
  get report(): TicReport | undefined {
    return this.#tic.report;
  }

  /** Milliseconds that a run takes when no switch is met; undefined before the device has reported its settings. */
  plannedMs(motion: LungMotion): number | undefined {
    const acceleration = this.report?.settings.maxAcceleration;
    return acceleration === undefined ? undefined : plannedMs(orderOf(motion), acceleration);
  }

  /**
   * Begins a run; resolves when motion was seen. Sent once. When the signal aborts meanwhile the lung is stopped.
   *
   * @throws RigError `lung_moving` while a motion is under way; `lung_low_vin`, `lung_limits_blocked`,
   *   `lung_start_failed`, `superseded` by a stop
   */
  start(motion: LungMotion, signal?: AbortSignal): Promise<LungReading> {
    return this.#begin(motion.cycles, signal, async () => {
      const run = await startStrokes(this.#tic, orderOf(motion), this.#clock);
      this.#record.runs(run);
      return run;
    });
  }

  /** Homing; resolves when motion was seen. @throws as `start`; `device_error` for a firmware that knows no homing */
  home(direction: LungDirection, signal?: AbortSignal): Promise<LungReading> {
    return this.#begin(0, signal, () => this.#tic.home({ direction }));
  }

  /** Current without motion, until a motion or a stop. @throws RigError `lung_moving`, `lung_low_vin`, `superseded` */
  async energize(signal?: AbortSignal): Promise<LungReading> {
    if (this.#motion) throw moving();
    const stops = this.#stops;
    this.#record.mayHaveCurrent = true;
    this.#energizing += 1;
    try {
      const held = await this.#tic.energize(signal ? { signal } : {});
      this.#failWhenSuperseded(stops);
      void held.released.then((end) => {
        if (end.error) void this.#ended(end);
      });
    } catch (error) {
      throw asRigError(error, DEVICE);
    } finally {
      this.#energizing -= 1;
    }
    return this.read(signal);
  }

  /** Halts, de-energizes and proves it by a read-back; ahead of all, and what is under way or being started ends. */
  async stop(signal?: AbortSignal): Promise<LungReading> {
    this.#stops += 1;
    try {
      const seen = await this.#tic.stop(signal ? { signal } : {});
      this.#motion = undefined;
      this.#note(seen);
      return lungReading(seen, this.#record, false);
    } catch (error) {
      throw asRigError(error, DEVICE);
    }
  }

  /** The same: the Tic is never left with current and without command. */
  disable(signal?: AbortSignal): Promise<LungReading> {
    return this.stop(signal);
  }

  async read(signal?: AbortSignal, limitMs = READ_LIMIT_MS): Promise<LungReading> {
    try {
      const seen = await this.#tic.status({ deadlineMs: limitMs, ...(signal ? { signal } : {}) });
      this.#note(seen);
      return lungReading(seen, this.#record, this.#motion !== undefined);
    } catch (error) {
      throw asRigError(error, DEVICE);
    }
  }

  async #begin(
    cycles: number,
    signal: AbortSignal | undefined,
    start: () => Promise<Begun>,
  ): Promise<LungReading> {
    if (this.#motion) throw moving();
    signal?.throwIfAborted();
    const motion = {};
    const stops = this.#stops;
    this.#motion = motion;
    this.#record.begins(cycles);
    const onAbort = () => void this.stop().catch(this.#onLost);
    signal?.addEventListener('abort', onAbort, { once: true });
    let isMoving = false;
    try {
      const begun = await start();
      isMoving = true;
      void begun.ended.then(async (end) => {
        if (this.#motion !== motion) return;
        this.#motion = undefined;
        await this.#ended(end);
      });
      const reading = await this.read();
      this.#failWhenSuperseded(stops);
      return reading;
    } catch (error) {
      if (this.#motion === motion) this.#motion = undefined;
      if (stops === this.#stops) {
        this.#record.lastMotionError = motionErrorOf({ error })?.message ?? null;
        // This motion was not reported to any caller, so none would end it.
        if (isMoving) await this.stop().catch(this.#onLost);
      }
      throw asRigError(error, DEVICE);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** The driver has de-energized the motor; a failure on the way is looked into until there is proof. */
  async #ended(end: End): Promise<void> {
    this.#record.lastMotionError = motionErrorOf(end)?.message ?? null;
    if (!end.error) {
      this.#record.mayHaveCurrent = false;
      return;
    }
    await this.stop().catch(this.#onLost);
  }

  #note({ energized, velocity }: TicStatus): void {
    const isCommanded = this.#motion !== undefined || this.#energizing > 0;
    this.#record.mayHaveCurrent = energized || velocity !== 0 || isCommanded;
  }

  #failWhenSuperseded(stops: number): void {
    if (stops === this.#stops) return;
    throw new RigError('superseded', DEVICE, 'a stop came while it was being started; it was stopped again');
  }
}

const moving = () =>
  new RigError('lung_moving', DEVICE, 'a motion is under way; stop it before starting another');

function orderOf(motion: LungMotion): StrokeOrder {
  const { direction = 'forward', limitMode = 'reverse_on_limit', ...rest } = motion;
  return { ...rest, direction, limitMode };
}
