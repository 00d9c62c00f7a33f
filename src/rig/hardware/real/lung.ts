import type { Clock } from '../../../lib/clock/clock.ts';
import type { LungPort, LungStatus } from '../ports.ts';
import type { LungDevice } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, safeStep, slotLife, slotOf } from './access.ts';
import { realComponent } from './component.ts';

/** What the rig needs of a lung driver. */
export type LungDriver = Omit<LungPort, 'origin'>;

const DEVICE = 'lung-motor';

/** The lung motor on a port of this process. */
export function drivenLung(access: DeviceAccess<LungDriver>, clock: Clock): LungDevice {
  const use = (task: (driver: LungDriver) => Promise<LungStatus>) => async () =>
    slotOf(access, DEVICE).use(task);
  return {
    ...slotLife(access),
    port: {
      origin: originOf(access),
      start: async (motion, signal) => slotOf(access, DEVICE).use((driver) => driver.start(motion, signal)),
      stop: use((driver) => driver.stop()),
      disable: use((driver) => driver.disable()),
      read: use((driver) => driver.read()),
    },
    component: realComponent({
      id: DEVICE,
      access,
      clock,
      probe: async (driver) => {
        const { moving, energized } = await driver.read();
        return `Tic answered: ${moving ? 'moving' : 'at rest'}, ${energized ? 'energized' : 'de-energized'}`;
      },
    }),
    steps: {
      lung_halt: (signal) =>
        safeStep(access, DEVICE, signal, async (driver) => {
          if ((await driver.stop()).moving)
            throw new RigError('device_error', DEVICE, 'still moves after the halt');
          return 'halted, velocity 0 by read-back';
        }),
      lung_deenergize: (signal) =>
        safeStep(access, DEVICE, signal, async (driver) => {
          if ((await driver.disable()).energized)
            throw new RigError('device_error', DEVICE, 'is still energized');
          return 'de-energized by read-back';
        }),
    },
  };
}
