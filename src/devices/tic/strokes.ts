import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { DeviceError } from '../device-error.ts';
import { DEVICE } from './control-link.ts';
import type { Direction, Motion, MotionEnd, Move, TicT249 } from './driver.ts';
import { pathToPosition } from './kinematics.ts';
import { rangeFault } from './orders.ts';
import { ACCELERATION_UNITS, SPEED_UNITS } from './requests.ts';

/** One order of the lung service. */
export interface StrokeOrder {
  /** Microsteps out, and back again: 1..1000000. */
  steps: number;
  /** 1/10000 step/s, 1..500000000. */
  speed: number;
  /** Strokes out and back: 1..10000. */
  cycles: number;
  /** Seconds at each turn, 0..60. */
  pauseS: number;
  /** Of the stroke out. */
  direction: Direction;
  /** `reverse_on_limit`: a limit switch ends the stroke early and the next one follows; `stop`: it ends the run. */
  limitMode: 'reverse_on_limit' | 'stop';
  /** 1/100 step/s2. Default: the device's own setting. */
  acceleration?: number;
}

export interface StrokesEnd {
  /** `done`: all cycles were made. The others are those of the motion that ended the run. */
  reason: 'done' | 'limit' | 'stopped' | 'failed';
  limit?: Direction;
  error?: DeviceError;
  cyclesDone: number;
  cyclesTotal: number;
  /** Wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
}

/** A run of strokes that was seen to begin. */
export interface StrokeRun {
  readonly cyclesDone: number;
  readonly cyclesTotal: number;
  /** Never rejects; the motor is de-energized then, unless `error` says otherwise. */
  readonly ended: Promise<StrokesEnd>;
}

const LONGEST_PAUSE_S = 60;

const opposite = (direction: Direction): Direction => (direction === 'forward' ? 'reverse' : 'forward');

/**
 * Begins a run. Every stroke is a motion of its own with all its checks; between two of them the motor is held.
 * `tic.stop()` ends it.
 *
 * @throws DeviceError as `TicT249.move`
 */
export async function startStrokes(
  tic: TicT249,
  order: StrokeOrder,
  clock: Clock = systemClock,
): Promise<StrokeRun> {
  check(order);
  const run = new Run(tic, order, clock);
  await run.start();
  return run;
}

/**
 * How long a run takes when no switch is met, milliseconds.
 *
 * @param acceleration 1/100 step/s2, of the order or of the device
 */
export function plannedMs(order: StrokeOrder, acceleration: number): number {
  const rate = acceleration / ACCELERATION_UNITS;
  const limits = { maxSpeed: order.speed / SPEED_UNITS, acceleration: rate, deceleration: rate };
  const strokeS = pathToPosition({ position: 0, velocity: 0 }, order.steps, limits).durationS;
  return 1000 * (2 * order.cycles * strokeS + (2 * order.cycles - 1) * order.pauseS);
}

class Run implements StrokeRun {
  readonly cyclesTotal: number;
  readonly ended: Promise<StrokesEnd>;
  readonly #tic: TicT249;
  readonly #order: StrokeOrder;
  readonly #clock: Clock;
  #end: (end: StrokesEnd) => void = () => {};
  #cyclesDone = 0;

  constructor(tic: TicT249, order: StrokeOrder, clock: Clock) {
    this.#tic = tic;
    this.#order = order;
    this.#clock = clock;
    this.cyclesTotal = order.cycles;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get cyclesDone(): number {
    return this.#cyclesDone;
  }

  async start(): Promise<void> {
    const { steps, direction } = this.#order;
    const first = await this.#stroke({ steps, direction });
    void this.#goOn(first).then((outcome) =>
      this.#end({
        ...outcome,
        cyclesDone: this.#cyclesDone,
        cyclesTotal: this.cyclesTotal,
        observedAt: this.#clock.now(),
      }),
    );
  }

  async #goOn(first: Motion): Promise<Outcome> {
    const { steps, direction, cycles } = this.#order;
    const targets = { out: first.from + (direction === 'forward' ? steps : -steps), back: first.from };
    let motion = first;
    for (let stroke = 1; ; stroke += 1) {
      const end = await motion.ended;
      const outcome = this.#outcomeOf(end);
      if (outcome) return this.#released(outcome, motion);
      const isBack = stroke % 2 === 0;
      if (isBack) this.#cyclesDone += 1;
      if (this.#cyclesDone === cycles) return this.#released({ reason: 'done' }, motion);
      const interruption = await this.#pause(motion);
      if (interruption) return interruption;
      const next = isBack ? direction : opposite(direction);
      const way = wayTo(isBack ? targets.out : targets.back, end.position, next);
      // A switch that ended a stroke may have left no way back.
      if (way < 1) continue;
      try {
        const hold = stroke + 1 < 2 * cycles;
        motion = await this.#stroke({ steps: way, direction: next, hold, from: motion });
      } catch (error) {
        return this.#failed(error, motion);
      }
    }
  }

  #stroke(stroke: Pick<Move, 'steps' | 'direction' | 'hold' | 'from'>): Promise<Motion> {
    const { speed, acceleration } = this.#order;
    return this.#tic.move({
      hold: true,
      speed,
      ...(acceleration === undefined ? {} : { acceleration }),
      ...stroke,
    });
  }

  /** Why the run is over with this stroke, if it is. */
  #outcomeOf({ reason, limit, error }: MotionEnd): Outcome | undefined {
    if (reason === 'arrived') return undefined;
    if (reason === 'limit' && limit !== undefined)
      return this.#order.limitMode === 'stop' ? { reason, limit } : undefined;
    if (reason === 'stopped') return { reason };
    return { reason: 'failed', ...(error === undefined ? {} : { error }) };
  }

  /** Waits at the turn. @returns why the run is over, when the motor was let go meanwhile */
  async #pause(motion: Motion): Promise<Outcome | undefined> {
    const controller = new AbortController();
    const pause = this.#clock.sleep(1000 * this.#order.pauseS, controller.signal);
    // Aborted when the motor was let go; that is reported by the race.
    pause.catch(() => {});
    const released = await Promise.race([pause, motion.released]);
    controller.abort();
    return released ? this.#outcomeOf(released) : undefined;
  }

  /** A stroke could not be begun. */
  async #failed(error: unknown, motion: Motion): Promise<Outcome> {
    const fault = asDeviceError(error);
    if (fault.code === 'superseded' || fault.reason === 'not_held') {
      const end = await motion.released;
      return this.#outcomeOf(end) ?? { reason: 'failed', error: fault };
    }
    return this.#released({ reason: 'failed', error: fault }, motion);
  }

  /** No run ends with a motor that is held. */
  async #released(outcome: Outcome, motion: Motion): Promise<Outcome> {
    if (!this.#tic.isHeld(motion)) return outcome;
    try {
      await this.#tic.stop();
      return outcome;
    } catch (error) {
      return { ...outcome, reason: 'failed', error: outcome.error ?? asDeviceError(error) };
    }
  }
}

type Outcome = Pick<StrokesEnd, 'reason' | 'limit' | 'error'>;

/** Microsteps still to go in `direction`, negative when the target lies behind; the counter wraps at 32 bits. */
function wayTo(target: number, position: number, direction: Direction): number {
  const way = (target - position) | 0;
  return direction === 'forward' ? way : -way;
}

function check(order: StrokeOrder): void {
  const { steps, speed, cycles, acceleration } = order;
  const fault = rangeFault({ steps, speed, cycles, acceleration });
  if (fault !== undefined) throw refused(fault);
  const { pauseS } = order;
  if (!(pauseS >= 0 && pauseS <= LONGEST_PAUSE_S))
    throw refused(`pause ${pauseS} s is not a number from 0 to ${LONGEST_PAUSE_S}`);
}

const refused = (message: string) =>
  new DeviceError('value_out_of_range', `${DEVICE}: ${message}`, { device: DEVICE });

const asDeviceError = (error: unknown): DeviceError =>
  error instanceof DeviceError
    ? error
    : new DeviceError('device_error', `${DEVICE}: ${messageOf(error)}`, { device: DEVICE, cause: error });
