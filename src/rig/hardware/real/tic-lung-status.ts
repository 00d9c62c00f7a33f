import { LIMITS_BLOCKED, LOW_VIN } from '../../../devices/tic/course.ts';
import type { TicStatus } from '../../../devices/tic/driver.ts';
import type { LungReading } from '../lung-data.ts';
import type { LungRecord } from './tic-lung-record.ts';

/** Errors of the Tic that are none: a motor at rest is de-energized, under safe start, and not commanded. */
const AT_REST = new Set(['intentionally_deenergized', 'safe_start_violation', 'command_timeout']);

/** What the device said, and what is known of its motions. @param isUnderWay a motion has not come to its end */
export function lungReading(seen: TicStatus, record: LungRecord, isUnderWay: boolean): LungReading {
  return {
    connected: true,
    energized: seen.energized,
    moving: seen.moving || isUnderWay,
    position: seen.position,
    positionUncertain: seen.positionUncertain,
    velocity: seen.velocity,
    forwardLimitActive: seen.forwardLimitActive,
    reverseLimitActive: seen.reverseLimitActive,
    lowVin: seen.lowVin,
    vinMv: seen.vinMv,
    motorDriverError: seen.motorDriverError,
    lastMotionError: record.lastMotionError,
    cyclesDone: record.cyclesDone,
    cyclesTotal: record.cyclesTotal,
    error: faultOf(seen),
  };
}

/** What keeps the lung from moving now; the order is that of the checks before a start. */
function faultOf(seen: TicStatus): string | null {
  if (seen.motorDriverError) {
    const cause = seen.lastDriverError === 'none' ? '' : ` (${seen.lastDriverError})`;
    return `The motor driver reports an error${cause}`;
  }
  if (seen.lowVin) return LOW_VIN;
  if (seen.forwardLimitActive && seen.reverseLimitActive) return LIMITS_BLOCKED;
  const others = seen.errors.filter((name) => !AT_REST.has(name));
  return others.length === 0 ? null : `The Tic reports ${others.join(', ')}`;
}
