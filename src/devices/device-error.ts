import { CodedError } from '../lib/errors/coded-error.ts';
import type { ProblemCode } from '../lib/http/problem-table.ts';

/** Every code of a device has a row in the table of HTTP problems: clients see it as it is. */
type Listed<Code extends ProblemCode> = Code;

export type DeviceCode = Listed<
  /** No whole answer in time; the command may or may not have been carried out. */
  | 'device_timeout'
  /** An answer came that is not the answer to this request. */
  | 'corrupt_response'
  /** The device refused the request (`exception`). */
  | 'modbus_exception'
  /** The port is absent, held, or went away. */
  | 'device_unavailable'
  /** Never sent: the queue was full or its turn did not come before the deadline. */
  | 'device_busy'
  | 'aborted'
  /** A safe-state command went ahead of it. */
  | 'superseded'
  | 'valve_unverified'
  | 'valve_mode_not_normal'
  | 'pump_unverified'
  | 'wrong_device'
  | 'value_out_of_range'
  | 'adc_foreign_config'
  /** The chip did not take its configuration; it gives no reading. */
  | 'adc_config_not_applied'
  /** SCL or SDA is held low. */
  | 'i2c_bus_stuck'
  /** The device answered, but reports a failure of its own. */
  | 'device_error'
  /** A setting that the device cannot be used with; refused before it is opened. */
  | 'setting_refused'
  | 'lung_start_failed'
  | 'lung_limits_blocked'
  | 'lung_low_vin'
  | 'bank_unreachable'
  | 'bank_sample_missing'
  | 'bank_identity_mismatch'
  | 'bank_sample_stale'
  | 'bank_saturated'
  | 'bank_out_of_range'
  | 'knob_invalid'
>;

export interface DeviceErrorDetails {
  /** Id used in data, for example `modbus-io`. */
  device?: string | undefined;
  /** Where it was spoken to: the address of the transport. */
  endpoint?: string | undefined;
  /** Modbus exception number. */
  exception?: number | undefined;
  /** Finer reason, for example `crc`, `echo`, `no_reply`, `port_busy`. */
  reason?: string | undefined;
  /** Whether bytes may have reached the device. */
  sent?: boolean | undefined;
  cause?: unknown;
}

/** Whatever keeps a device from a proven answer. Never stands for a value. */
export class DeviceError extends CodedError {
  override readonly code: DeviceCode;
  readonly device: string | undefined;
  readonly endpoint: string | undefined;
  readonly exception: number | undefined;
  readonly reason: string | undefined;
  readonly sent: boolean;

  constructor(code: DeviceCode, message: string, details: DeviceErrorDetails = {}) {
    super(code, message, { cause: details.cause });
    this.code = code;
    this.device = details.device;
    this.endpoint = details.endpoint;
    this.exception = details.exception;
    this.reason = details.reason;
    this.sent = details.sent ?? false;
  }
}

/** The same error with the device it is about, and its place when the message has none. */
export function namedError(error: DeviceError, device: string): DeviceError {
  if (error.device !== undefined) return error;
  const { code, message, endpoint, exception, reason, sent } = error;
  const hasPlace = endpoint === undefined || message.includes(endpoint);
  const who = hasPlace ? device : `${device} on ${endpoint}`;
  const cause = error.cause ?? error;
  return new DeviceError(code, `${who}: ${message}`, { device, endpoint, exception, reason, sent, cause });
}

/** What makes the errors of one device at one place. @param who how a message begins */
export function failureOf(device: string, endpoint: string, who = `${device} on ${endpoint}`) {
  return (code: DeviceCode, message: string, details: DeviceErrorDetails = {}): DeviceError =>
    new DeviceError(code, `${who}: ${message}`, { device, endpoint, ...details });
}

/** For the end of a promise chain: throws what came, with the device's name on it. */
export function nameDevice(device: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof DeviceError ? namedError(error, device) : error;
  };
}
