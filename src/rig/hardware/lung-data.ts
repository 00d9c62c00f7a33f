import type { LungStatus } from './ports.ts';

/** Status of the lung as the services write it, for example as `runtime_status` (services specification, section 9). */
export function lungData(status: LungStatus) {
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
  };
}
