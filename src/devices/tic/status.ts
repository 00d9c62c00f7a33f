import type { MotionError } from './activity.ts';
import { errorMask, errorNames, type TicErrorName, type TicState } from './errors.ts';
import type { LastDriverError, TicVariables } from './variables.ts';

/** What the device said of itself; nothing in it is as commanded. Units of section 4. */
export interface TicStatus {
  connected: true;
  energized: boolean;
  /** It makes steps now. */
  moving: boolean;
  homing: boolean;
  /** Microsteps from the device's zero. */
  position: number;
  positionUncertain: boolean;
  /** 1/10000 step/s, negative in reverse. */
  velocity: number;
  forwardLimitActive: boolean;
  reverseLimitActive: boolean;
  /** The chip says so, or the supply is below the rig's own minimum. */
  lowVin: boolean;
  vinMv: number;
  motorDriverError: boolean;
  lastDriverError: LastDriverError;
  state: TicState;
  /** On now. */
  errors: TicErrorName[];
  upTimeMs: number;
  /** Why the last motion ended that did not end as it should; null when it did, or when there was none. */
  lastMotionError: MotionError | null;
  /** Wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
}

/** @param minVinMv the rig's minimum: a supply that is too low for the lung does not trip the chip */
export function isLowVin({ errorStatus, vinMv }: TicVariables, minVinMv: number): boolean {
  return (errorStatus & errorMask('low_vin')) !== 0 || vinMv < minVinMv;
}

export function statusOf(
  seen: TicVariables,
  known: { minVinMv: number; observedAt: number; lastMotionError: MotionError | null },
): TicStatus {
  return {
    connected: true,
    energized: seen.energized,
    moving: seen.velocity !== 0,
    homing: seen.homing,
    position: seen.position,
    positionUncertain: seen.positionUncertain,
    velocity: seen.velocity,
    forwardLimitActive: seen.forwardLimit,
    reverseLimitActive: seen.reverseLimit,
    lowVin: isLowVin(seen, known.minVinMv),
    vinMv: seen.vinMv,
    motorDriverError: (seen.errorStatus & errorMask('motor_driver_error')) !== 0,
    lastDriverError: seen.lastDriverError,
    state: seen.state,
    errors: errorNames(seen.errorStatus),
    upTimeMs: seen.upTimeMs,
    lastMotionError: known.lastMotionError,
    observedAt: known.observedAt,
  };
}
