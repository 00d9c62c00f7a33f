import * as z from 'zod';
import type { LungStatus } from './ports.ts';

const known = <S extends z.ZodType>(schema: S) => schema.nullable();

/** Unknown is null. */
export const runtimeStatusSchema = z.object({
  connected: z.boolean(),
  energized: z.boolean(),
  moving: z.boolean(),
  position: known(z.int()).describe('microsteps from the zero of the device'),
  position_uncertain: known(z.boolean()),
  forward_limit_active: known(z.boolean()),
  reverse_limit_active: known(z.boolean()),
  low_vin: known(z.boolean()),
  vin_voltage: known(z.number()),
  vin_mv: known(z.int()),
  motor_driver_error: known(z.boolean()),
  last_motion_error: known(z.string()),
  cycles_done: z.int(),
  cycles_total: z.int(),
  error: known(z.string()),
  velocity: known(z.int()).optional().describe('1/10000 step/s, negative in reverse'),
});

/** The same of a lung that could not be asked. */
export const uncertainStatusSchema = runtimeStatusSchema.extend({
  energized: known(z.boolean()),
  moving: known(z.boolean()),
  cycles_done: known(z.int()),
  cycles_total: known(z.int()),
});

/** A status that also has the speed: what it says of standing still can be checked. */
export interface LungReading extends LungStatus {
  /** 1/10000 step/s, negative in reverse; null when the source does not report. */
  velocity: number | null;
}

/** Status of the lung as the services write it, for example as `runtime_status`. */
export function lungData(status: LungStatus | LungReading) {
  return {
    connected: status.connected,
    energized: status.energized,
    moving: status.moving,
    position: status.position,
    position_uncertain: status.positionUncertain,
    forward_limit_active: status.forwardLimitActive,
    reverse_limit_active: status.reverseLimitActive,
    low_vin: status.lowVin,
    vin_voltage: status.vinMv === null ? null : status.vinMv / 1000,
    vin_mv: status.vinMv,
    motor_driver_error: status.motorDriverError,
    last_motion_error: status.lastMotionError,
    cycles_done: status.cyclesDone,
    cycles_total: status.cyclesTotal,
    error: status.error,
    ...('velocity' in status ? { velocity: status.velocity } : {}),
  };
}

/** The same of a lung that could not be asked: unknown is null. @param error why */
export function unknownLungData(error: string) {
  return {
    connected: false,
    energized: null,
    moving: null,
    position: null,
    position_uncertain: null,
    forward_limit_active: null,
    reverse_limit_active: null,
    low_vin: null,
    vin_voltage: null,
    vin_mv: null,
    motor_driver_error: null,
    last_motion_error: null,
    cycles_done: null,
    cycles_total: null,
    error,
    velocity: null,
  };
}
