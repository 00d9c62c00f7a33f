import { CodedError } from '../../lib/errors/coded-error.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import type { Metrics } from '../../lib/http/metrics.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import { RigError } from '../hardware/rig-error.ts';

/** Puts what an error of a device knows beside its sentence into the problem body, and counts it. */
export function translateRigFault(metrics: Metrics): (thrown: unknown) => unknown {
  return (thrown) => {
    countDeviceError(metrics, thrown);
    const members = membersOf(thrown);
    if (!members || !(thrown instanceof CodedError)) return thrown;
    return new HttpError(thrown.code, thrown.message, { members, cause: thrown });
  };
}

/** Counts a request that failed at a device. A command that made way for another one is not a failure. */
export function countDeviceError(metrics: Metrics, thrown: unknown): void {
  if (!(thrown instanceof RigError) || thrown.code === 'superseded') return;
  metrics.count('svc_device_errors_total', { device: thrown.device, code: thrown.code });
}

function membersOf(thrown: unknown): Record<string, unknown> | undefined {
  if (thrown instanceof LockHeldError) return { key: thrown.key, holder: thrown.holder };
  if (thrown instanceof RigError) return { device: thrown.device, ...thrown.members };
  return undefined;
}
