import type { Clock } from '../../lib/clock/clock.ts';
import { type Course, hardFault } from './course.ts';
import { errorNames } from './errors.ts';
import * as requests from './requests.ts';
import type { TicSession } from './session.ts';
import type { TicVariables } from './variables.ts';

/** Within this time motion is seen, or the start has failed. */
export const MOTION_SEEN_MS = 500;
/** Between looks for the first sign of motion. */
const START_POLL_MS = 20;

/** How one kind of motion is begun. */
export interface Start {
  course(before: TicVariables): Course;
  /** What follows energize and exit safe start. */
  commands(course: Course): requests.TicRequest[];
  hasBegun(seen: TicVariables, before: TicVariables): boolean;
  /** Milliseconds it may take. */
  limitMs?: number;
}

const stepsMade = (seen: TicVariables, before: TicVariables) =>
  seen.velocity !== 0 || seen.position !== before.position;

/** @param steps microsteps, @param tuning speed and acceleration */
export function toTarget(
  direction: requests.Direction,
  steps: number,
  tuning: () => requests.TicRequest[],
): Start {
  const way = direction === 'forward' ? steps : -steps;
  return {
    // The device's counter wraps at 32 bits, and so does the target.
    course: (before) => ({ kind: 'position', direction, target: (before.position + way) | 0 }),
    commands: (course) =>
      course.kind === 'position' ? [...tuning(), requests.targetPosition(course.target)] : [],
    hasBegun: stepsMade,
  };
}

/** @param speed 1/10000 step/s */
export function toSpeed(
  direction: requests.Direction,
  speed: number,
  tuning: () => requests.TicRequest[],
): Start {
  const velocity = direction === 'forward' ? speed : -speed;
  return {
    course: () => ({ kind: 'velocity', direction, velocity }),
    commands: () => [...tuning(), requests.targetVelocity(velocity)],
    hasBegun: stepsMade,
  };
}

export function homing(direction: requests.Direction, limitMs: number): Start {
  return {
    course: () => ({ kind: 'homing', direction }),
    commands: () => [requests.goHome(direction)],
    hasBegun: stepsMade,
    limitMs,
  };
}

export function energizing(): Start {
  return {
    course: () => ({ kind: 'hold' }),
    commands: () => [],
    hasBegun: (seen) => seen.energized && seen.errorStatus === 0,
  };
}

/**
 * Sends a start and waits for the sign that it worked. Sent once, whatever comes of it.
 *
 * @returns the first reading with motion in it, and when the device last heard from us (monotonic, milliseconds)
 * @throws DeviceError `lung_start_failed`, `lung_low_vin`, `device_error`; as `TicSession.send` and `read`
 */
export async function startMotion(
  what: { start: Start; course: Course; before: TicVariables; signal: AbortSignal },
  session: TicSession,
  options: { clock: Clock; minVinMv: number },
): Promise<{ seen: TicVariables; heardMs: number }> {
  const { start, course, before, signal } = what;
  const { clock, minVinMv } = options;
  if (before.velocity !== 0) {
    const message = 'the motor moves without a command: another program uses the Tic; stop it';
    throw session.fail('device_error', message, { reason: 'stray' });
  }
  let heardMs = clock.monotonic();
  for (const request of [requests.energize(), requests.exitSafeStart(), ...start.commands(course)]) {
    heardMs = clock.monotonic();
    await session.send(request, signal);
  }
  const endMs = clock.monotonic() + MOTION_SEEN_MS;
  for (;;) {
    // "Errors occurred" begins anew with the motion, so that each error in it is one of this motion.
    const seen = await session.readAndClearErrors(signal);
    const fault = hardFault(seen, minVinMv);
    if (fault) throw session.errorOf(fault);
    const isInTime = clock.monotonic() <= endMs;
    if (isInTime && start.hasBegun(seen, before)) return { seen, heardMs };
    if (clock.monotonic() >= endMs) {
      const errors = errorNames(seen.errorStatus).join(', ');
      const why = errors === '' ? 'the Tic reports no error' : `the Tic reports ${errors}`;
      const what = course.kind === 'hold' ? 'the motor was not energized' : 'no motion was seen';
      const message = `${what} within ${MOTION_SEEN_MS} ms; ${why}; check the kill switch, the control mode and the motor`;
      throw session.fail('lung_start_failed', message, { reason: 'no_motion', sent: true });
    }
    await clock.sleep(START_POLL_MS, signal);
  }
}
