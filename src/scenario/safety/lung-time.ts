/** One order for the lung, each number at its largest or smallest as the longest time wants it. */
export interface LungOrder {
  /** Steps of one stroke. */
  readonly steps: number;
  /** 1/10000 step/s */
  readonly speed: number;
  readonly cycles: number;
  readonly pauseS: number;
}

const SPEED_UNITS = 10_000;
/** Steps/s2: the slowest acceleration and deceleration that the motor controller can be set to. */
const SLOWEST_ACCELERATION = 1;
/** What the programs between may add; the margin that the lung service gives itself. */
const MARGIN_MS = 10_000;

/**
 * The longest time that an order may take, milliseconds. How the motor controller is set is not known before the run, so
 * the slowest setting counts: a stroke speeds up and slows down at 1 step/s2. A switch ends a stroke earlier, never
 * later.
 */
export function longestLungMs({ steps, speed, cycles, pauseS }: LungOrder): number {
  const stepsPerS = speed / SPEED_UNITS;
  const reachesSpeed = steps >= stepsPerS ** 2 / SLOWEST_ACCELERATION;
  const strokeS = reachesSpeed
    ? steps / stepsPerS + stepsPerS / SLOWEST_ACCELERATION
    : 2 * Math.sqrt(steps / SLOWEST_ACCELERATION);
  const ms = 1000 * 2 * cycles * (strokeS + pauseS) + MARGIN_MS;
  return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
}
