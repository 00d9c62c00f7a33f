import { BenchError } from '../../bench/bench-error.ts';
import { DeviceError } from '../../devices/device-error.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import { TransportError } from '../../transports/transport-error.ts';

/** The code of the HTTP contract for each code of the bench; the finer one is reported as `reason`. */
const CODES: Readonly<Record<string, string>> = {
  device_unknown: 'not_found',
  knob_invalid: 'invalid_parameter',
  step_invalid: 'invalid_parameter',
};

/** Errors of the bench as problems: a wrong knob is 422, a device that is not there 404, a port that fails 503. */
export function translate(thrown: unknown): unknown {
  const isOurs =
    thrown instanceof BenchError || thrown instanceof DeviceError || thrown instanceof TransportError;
  if (!isOurs || !(thrown instanceof CodedError)) return thrown;
  const code = CODES[thrown.code] ?? 'device_unavailable';
  const members = { reason: thrown.code };
  if (code !== 'invalid_parameter') return new HttpError(code, thrown.message, { members, cause: thrown });
  const fault = { in: 'body' as const, field: 'body', message: thrown.message, value: null };
  return new HttpError(code, thrown.message, { members, errors: [fault], cause: thrown });
}
