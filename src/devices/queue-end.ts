import type { JobEnd } from '../lib/queue/job-queue.ts';
import { DeviceError } from './device-error.ts';

/** The error of a job that its queue ended. */
export function queueEnd(end: JobEnd, endpoint: string, cause?: unknown): DeviceError {
  switch (end) {
    case 'full':
      return new DeviceError('device_busy', `too much work waits for ${endpoint}; ask again later`, {
        endpoint,
        reason: 'queue_full',
      });
    case 'expired_waiting':
      return new DeviceError(
        'device_busy',
        `the turn at ${endpoint} did not come before the deadline; ask again later`,
        {
          endpoint,
          reason: 'deadline',
        },
      );
    case 'expired_running':
      return new DeviceError(
        'device_timeout',
        `the exchange with ${endpoint} did not end before its deadline; check that the device answers at all`,
        {
          endpoint,
          reason: 'deadline',
          sent: true,
        },
      );
    case 'aborted':
      return new DeviceError('aborted', `the exchange with ${endpoint} was cancelled by its caller`, {
        endpoint,
        cause,
      });
    case 'superseded':
      return new DeviceError('superseded', `a safe-state command went ahead at ${endpoint}`, { endpoint });
    case 'closed':
      return new DeviceError('device_unavailable', `${endpoint} was closed; open it again`, {
        endpoint,
        reason: 'closed',
      });
  }
}
