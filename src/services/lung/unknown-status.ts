import { messageOf } from '../../lib/errors/coded-error.ts';
import { unknownLungData } from '../../rig/hardware/lung-data.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';

/** The failure of a lung that was not asked, with a status in which everything is unknown. @returns the error */
export function withUnknownStatus(thrown: unknown): unknown {
  if (!(thrown instanceof RigError) || thrown.members.data !== undefined) return thrown;
  const { code, device, message, cause, members } = thrown;
  const data = { runtime_status: unknownLungData(messageOf(thrown)) };
  return new RigError(code, device, message, cause, { ...members, data });
}
