import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { Milliseconds } from '../../../lib/quantity.ts';
import { type LungReading, lungData, unknownLungData } from '../lung-data.ts';
import type { LungPort } from '../ports.ts';
import type { LungDevice } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, safeStep, slotLife, slotOf } from './access.ts';
import { realComponent } from './component.ts';

/** What the rig needs of a lung driver. `stop` and `disable` go ahead of all and resolve only with proof. */
export interface LungDriver extends Omit<LungPort, 'origin' | 'stop' | 'disable' | 'read'> {
  stop(signal?: AbortSignal): Promise<LungReading>;
  disable(signal?: AbortSignal): Promise<LungReading>;
  /** @param limitMs for waiting and answer together */
  read(signal?: AbortSignal, limitMs?: Milliseconds): Promise<LungReading>;
}

const DEVICE = 'lung-motor';

/** What a reading may add to the time that a failed command has taken already. */
const AFTER_FAILURE_MS = 400;

/** The lung motor on a port of this process. */
export function drivenLung(access: DeviceAccess<LungDriver>, clock: Clock): LungDevice {
  return {
    ...slotLife(access),
    port: {
      origin: originOf(access),
      start: (motion, signal) => withRuntimeStatus(access, (driver) => driver.start(motion, signal)),
      // A device that is not open is opened for these: that alone makes it safe.
      stop: async (signal) => slotOf(access, DEVICE).useNow((driver) => driver.stop(signal)),
      disable: async (signal) => slotOf(access, DEVICE).useNow((driver) => driver.disable(signal)),
      read: async (signal) => slotOf(access, DEVICE).use((driver) => driver.read(signal)),
    },
    component: realComponent({
      id: DEVICE,
      access,
      clock,
      probe: async (driver, signal) => {
        const { moving, energized } = await driver.read(signal);
        return `Tic answered: ${moving ? 'moving' : 'at rest'}, ${energized ? 'energized' : 'de-energized'}`;
      },
    }),
    steps: {
      lung_halt: (signal) =>
        safeStep(access, DEVICE, signal, async (driver) => haltDetail(await driver.stop(signal))),
      lung_deenergize: (signal) =>
        safeStep(access, DEVICE, signal, async (driver) => deenergizeDetail(await driver.disable(signal))),
    },
  };
}

/** @throws RigError `device_error` for a lung that moves */
export function haltDetail({ moving, velocity }: LungReading): string {
  if (!moving && velocity === 0) return 'halted, velocity 0 by read-back';
  throw new RigError('device_error', DEVICE, `still moves after the halt, velocity ${velocity}`);
}

/** @throws RigError `device_error` for a motor with current */
export function deenergizeDetail({ energized }: LungReading): string {
  if (!energized) return 'de-energized by read-back';
  throw new RigError('device_error', DEVICE, 'is still energized; switch its supply off');
}

/**
 * Carries out what sets the lung going. A failure has the status after it in `data.runtime_status`; what cannot be
 * read is null there.
 */
export async function withRuntimeStatus<T extends LungDriver, R>(
  access: DeviceAccess<T>,
  command: (driver: T) => Promise<R>,
): Promise<R> {
  try {
    return await slotOf(access, DEVICE).use(command);
  } catch (thrown) {
    if (!(thrown instanceof RigError) || thrown.members.data !== undefined) throw thrown;
    const { code, message } = thrown;
    const data = { runtime_status: await statusAfter(access) };
    throw new RigError(code, DEVICE, message, thrown, { ...thrown.members, data });
  }
}

async function statusAfter(access: DeviceAccess<LungDriver>) {
  try {
    const read = (driver: LungDriver) => driver.read(undefined, AFTER_FAILURE_MS);
    return lungData(await slotOf(access, DEVICE).use(read));
  } catch (thrown) {
    return unknownLungData(messageOf(thrown));
  }
}
