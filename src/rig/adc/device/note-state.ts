import type { ConnectionState } from '../../../devices/connection.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { Logger } from '../../../lib/log/logger.ts';

/** One line when a device came or went. */
export function noteState(
  logger: Logger | undefined,
  device: string,
  endpoint: string,
  state: ConnectionState,
  fault?: unknown,
): void {
  if (state === 'open') logger?.info(`${device}: open at ${endpoint}`, { device, endpoint });
  if (state === 'absent')
    logger?.warn(`${device}: absent; it is opened again as soon as it is there`, {
      device,
      endpoint,
      ...(fault === undefined ? {} : { error: messageOf(fault) }),
    });
}
