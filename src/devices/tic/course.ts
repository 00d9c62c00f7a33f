import type { DeviceCode } from '../device-error.ts';
import { errorMask, errorNames } from './errors.ts';
import type { Direction } from './requests.ts';
import { isLowVin } from './status.ts';
import { PLANNING, type TicVariables } from './variables.ts';

/** What the motor was commanded to do. Microsteps, 1/10000 step/s. */
export type Course =
  | { kind: 'position'; direction: Direction; target: number }
  | { kind: 'velocity'; direction: Direction; velocity: number }
  | { kind: 'homing'; direction: Direction }
  /** Energized and at rest. */
  | { kind: 'hold' };

/** Fixed words: other programs compare them. */
export const LOW_VIN = 'Motor supply voltage is too low';
export const LIMITS_BLOCKED = 'Both limit switches are active; movement is blocked';

export interface Fault {
  code: DeviceCode;
  message: string;
  reason: string;
  /** The message stands alone, as other programs expect it. */
  isExact: boolean;
}

export type Verdict =
  | { kind: 'going' }
  | { kind: 'arrived' }
  | { kind: 'limit'; limit: Direction }
  | { kind: 'fault'; fault: Fault };

/** Bits of the error status. */
const STOPPING = 0x01ff;
/** A motor that makes no step for so long, although it should, has stalled. */
export const STALL_MS = 500;

/** What keeps a motion from being started, in the order of section 4; `connected` comes before. */
export function startBlocker(seen: TicVariables, course: Course, minVinMv: number): Fault | undefined {
  const fault = driverFault(seen) ?? vinFault(seen, minVinMv);
  if (fault) return fault;
  if (course.kind === 'hold') return undefined;
  const blocked = (message: string, reason: string): Fault => ({
    code: 'lung_limits_blocked',
    message,
    reason,
    isExact: true,
  });
  if (seen.forwardLimit && seen.reverseLimit) return blocked(LIMITS_BLOCKED, 'both_limits');
  // Homing begins at its switch and leaves it by itself.
  if (course.kind === 'homing') return undefined;
  if (seen.forwardLimit && course.direction === 'forward')
    return blocked('The forward limit switch is active; only reverse movement is allowed', 'forward_limit');
  if (seen.reverseLimit && course.direction === 'reverse')
    return blocked('The reverse limit switch is active; only forward movement is allowed', 'reverse_limit');
  return undefined;
}

/** The errors that end a start at once; soft errors go away only a moment after the commands that clear them. */
export function hardFault(seen: TicVariables, minVinMv: number): Fault | undefined {
  return driverFault(seen) ?? vinFault(seen, minVinMv);
}

/**
 * Judges a motion that was seen to begin.
 *
 * @param before the reading before this one
 * @param stillMs how long the position has not changed
 */
export function judge(
  course: Course,
  seen: TicVariables,
  known: { before: TicVariables; stillMs: number; minVinMv: number },
): Verdict {
  const fault =
    driverFault(seen) ??
    vinFault(seen, known.minVinMv) ??
    restartFault(seen, known.before) ??
    softFault(seen);
  if (fault) return { kind: 'fault', fault };
  if (hasArrived(course, seen)) return { kind: 'arrived' };
  if (course.kind !== 'homing' && course.kind !== 'hold') {
    if (course.direction === 'forward' && seen.forwardLimit) return { kind: 'limit', limit: 'forward' };
    if (course.direction === 'reverse' && seen.reverseLimit) return { kind: 'limit', limit: 'reverse' };
  }
  const stray = strayFault(course, seen) ?? stallFault(course, seen, known.stillMs);
  return stray ? { kind: 'fault', fault: stray } : { kind: 'going' };
}

function hasArrived(course: Course, seen: TicVariables): boolean {
  if (course.kind === 'position') return seen.velocity === 0 && seen.position === course.target;
  return course.kind === 'homing' && !seen.homing && !seen.positionUncertain && seen.velocity === 0;
}

function driverFault(seen: TicVariables): Fault | undefined {
  if (!(seen.errorStatus & errorMask('motor_driver_error'))) return undefined;
  const cause = seen.lastDriverError === 'none' ? '' : ` (${seen.lastDriverError.replace('_', '-')})`;
  const message = `the motor driver reports an error${cause}; let the motor cool down and check its wiring`;
  return plain(message, 'motor_driver_error');
}

function vinFault(seen: TicVariables, minVinMv: number): Fault | undefined {
  if (!isLowVin(seen, minVinMv)) return undefined;
  const reason = `${seen.vinMv} mV where ${minVinMv} mV are wanted`;
  return { code: 'lung_low_vin', message: LOW_VIN, reason, isExact: true };
}

function restartFault(seen: TicVariables, before: TicVariables): Fault | undefined {
  // The up-time wraps at 32 bits, after 49 days.
  const elapsedMs = (seen.upTimeMs - before.upTimeMs) >>> 0;
  if (elapsedMs < 0x8000_0000) return undefined;
  return plain('the controller restarted during the motion; check its supply', 'restarted');
}

function softFault(seen: TicVariables): Fault | undefined {
  // The higher bits of "errors occurred" are about the serial line and the encoder; they stop no motor.
  const bits = (seen.errorStatus | seen.errorsOccurred) & STOPPING;
  if (bits !== 0) {
    const names = errorNames(bits).join(', ');
    return plain(`an error came up during the motion: ${names}; remove its cause and start again`, names);
  }
  if (!seen.energized) return plain('the coils lost their current during the motion', 'not_energized');
  return undefined;
}

function strayFault(course: Course, seen: TicVariables): Fault | undefined {
  const isStray =
    (course.kind === 'position' &&
      seen.planningMode === PLANNING.position &&
      seen.targetPosition !== course.target) ||
    (course.kind === 'velocity' &&
      seen.planningMode === PLANNING.velocity &&
      seen.targetVelocity !== course.velocity) ||
    (course.kind === 'hold' && seen.velocity !== 0);
  return isStray
    ? plain('the motor moves without a command: another program uses the Tic; stop it', 'stray')
    : undefined;
}

function stallFault(course: Course, seen: TicVariables, stillMs: number): Fault | undefined {
  if (course.kind === 'hold' || stillMs < STALL_MS) return undefined;
  const stepsDue = (Math.abs(seen.velocity) / 10_000) * (stillMs / 1000);
  if (seen.velocity !== 0 && stepsDue < 2) return undefined;
  return plain(
    `the position stays at ${seen.position} for ${Math.round(stillMs)} ms; check the motor`,
    'stalled',
  );
}

const plain = (message: string, reason: string): Fault => ({
  code: 'device_error',
  message,
  reason,
  isExact: false,
});
