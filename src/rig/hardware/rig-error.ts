import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';

/** Sentences of the product specification: programs compare them, so no name is put before them. */
const EXACT = new Set(['lung_low_vin', 'lung_limits_blocked']);

/** A device, or the way to it, does not do what was asked. `device` is the plugin id, for example `modbus-io`. */
export class RigError extends CodedError {
  readonly device: string;
  /** What goes into the problem body beside the sentence, for example `data.runtime_status` of the lung. */
  readonly members: Readonly<Record<string, unknown>>;

  /** @param message the device's name is put before it, unless it is there already */
  constructor(
    code: string,
    device: string,
    message: string,
    cause?: unknown,
    members: Readonly<Record<string, unknown>> = {},
  ) {
    const isNamed = message.startsWith(`${device}: `) || message.startsWith(`${device} on `);
    super(code, isNamed || EXACT.has(code) ? message : `${device}: ${message}`, { cause });
    this.device = device;
    this.members = members;
  }
}

/** Codes of the floors below that mean the same to a caller of the rig. */
const KEPT = new Set([
  'device_timeout',
  'device_unavailable',
  'device_error',
  'device_busy',
  'corrupt_response',
  'wrong_device',
  'valve_unverified',
  'valve_mode_not_normal',
  'i2c_bus_stuck',
  'lung_start_failed',
  'lung_limits_blocked',
  'lung_low_vin',
  'superseded',
]);

/** The port is not there or not ours: opening anew may help. */
const UNAVAILABLE = /^(port|transport|bus|bench|i2c)_/;

/** A failure of a driver in the terms of the rig. Defects (errors without a code) pass as they are. */
export function asRigError(thrown: unknown, device: string): unknown {
  if (thrown instanceof RigError || !(thrown instanceof CodedError) || thrown.code === 'held_by_other')
    return thrown;
  let code = 'device_error';
  if (KEPT.has(thrown.code)) code = thrown.code;
  else if (UNAVAILABLE.test(thrown.code)) code = 'device_unavailable';
  return new RigError(code, device, messageOf(thrown), thrown);
}
