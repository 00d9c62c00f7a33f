import type { Clock } from '../../lib/clock/clock.ts';
import type { Exchange } from '../exchange.ts';
import type { Motion } from './activity.ts';
import { type Direction, MAX_ACCELERATION, MAX_SPEED, MIN_ACCELERATION } from './requests.ts';
import type { TicProfile } from './settings.ts';

export interface TicOptions {
  clock?: Clock;
  /** Volts below which the lung is not moved (`SVC_LUNG_MIN_VIN_V`). Default 10.0. */
  minVinV?: number;
  /** Milliseconds after which homing has failed; without a switch it would never end. Default 20000. */
  homingLimitMs?: number;
  /** Settings as they should be; differences are reported and never written. */
  profile?: TicProfile;
}

export interface MotionOptions extends Exchange {
  /** Stay energized at the end, and kept alive, for a motion that follows. Default false: de-energize. */
  hold?: boolean;
  /** Go on from this motion, which must still be held. Without it nothing may be under way. */
  from?: Motion;
}

export interface Run extends MotionOptions {
  direction: Direction;
  /** 1/10000 step/s, 1..500000000. */
  speed: number;
  /** 1/100 step/s2, 100..2147483647. Default: the device's own setting. */
  acceleration?: number;
}

export interface Move extends Run {
  /** Microsteps, 1..1000000. */
  steps: number;
}

export const MAX_STEPS = 1_000_000;
export const MAX_CYCLES = 10_000;

/** Whole numbers and their ranges. */
const RANGES = {
  steps: [1, MAX_STEPS],
  speed: [1, MAX_SPEED],
  acceleration: [MIN_ACCELERATION, MAX_ACCELERATION],
  cycles: [1, MAX_CYCLES],
  homingLimitMs: [1, 600_000],
} as const;

/** Why an order cannot be carried out; undefined when it can. What it leaves out is not looked at. */
export function rangeFault(
  order: { [Name in keyof typeof RANGES]?: number | undefined },
): string | undefined {
  for (const name of Object.keys(RANGES) as (keyof typeof RANGES)[]) {
    const value = order[name];
    const [least, most] = RANGES[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= least && value <= most))
      return `${name} ${value} is not a whole number from ${least} to ${most}`;
  }
  return undefined;
}
