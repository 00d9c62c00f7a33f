import { DeviceError } from '../../../devices/device-error.ts';
import { CodedError, messageOf } from '../../../lib/errors/coded-error.ts';
import { TransportError } from '../../../transports/index.ts';

/** What became of one input. A failed one has no reading. */
export type Outcome<R> = { ok: true; reading: R } | { ok: false; error: CodedError };

/** The same failure for each of `inputs`. @throws what is a defect and no failure of a device */
export function allFailed<R>(thrown: unknown, inputs: readonly unknown[], device: string): Outcome<R>[] {
  const error = asDeviceFailure(thrown, device);
  return inputs.map(() => ({ ok: false, error }));
}

/** A failure with the device's name on it. @throws what is a defect and no failure of a device */
export function asDeviceFailure(thrown: unknown, device: string): CodedError {
  if (thrown instanceof TransportError) {
    const { address: endpoint, code: reason } = thrown;
    const message = `${device}: ${messageOf(thrown)}`;
    return new DeviceError('device_unavailable', message, { device, endpoint, reason, cause: thrown });
  }
  if (thrown instanceof CodedError) return thrown;
  throw thrown;
}
