import type { LungPort, LungStatus } from '../ports.ts';
import { type DeviceAccess, originOf, slotOf } from './access.ts';

/** What the rig needs of a lung driver. */
export type LungDriver = Omit<LungPort, 'origin'>;

const DEVICE = 'lung-motor';

export function realLung(access: DeviceAccess<LungDriver>): LungPort {
  const use = (task: (driver: LungDriver) => Promise<LungStatus>) => async () =>
    slotOf(access, DEVICE).use(task);
  return {
    origin: originOf(access),
    start: async (motion, signal) => slotOf(access, DEVICE).use((driver) => driver.start(motion, signal)),
    stop: use((driver) => driver.stop()),
    disable: use((driver) => driver.disable()),
    read: use((driver) => driver.read()),
  };
}
