import type { Clock } from '../../../lib/clock/clock.ts';
import type { PumpPort, PumpReading } from '../ports.ts';
import type { PumpDevice } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, readFrom, safeStep, slotLife, slotOf } from './access.ts';
import { realComponent } from './component.ts';
import { exchange, type PumpDriver, type PumpDriverState } from './drivers.ts';

const DEVICE = 'pump-motor';

/** The pump motor on a serial line of this process. */
export function drivenPump(access: DeviceAccess<PumpDriver>, clock: Clock): PumpDevice {
  const port: PumpPort = {
    origin: originOf(access),
    setPower: async (percent, signal) => {
      const state = await slotOf(access, DEVICE).use((driver) =>
        percent === 0
          ? driver.stop(exchange('safe', signal))
          : driver.setPower(percent, exchange('normal', signal)),
      );
      return reading(state);
    },
    read: async (signal) =>
      readFrom(
        slotOf(access, DEVICE),
        async (driver) => {
          const state = await driver.readState(exchange('normal', signal));
          return { ...reading(state), version: driver.version };
        },
        { clock, signal },
      ),
  };
  const component = realComponent({
    id: DEVICE,
    access,
    clock,
    probe: async (driver, signal) => {
      const { duty, enabled } = await driver.readState(exchange('normal', signal));
      return `DRI0050 answered: duty ${duty}, ${enabled ? 'enabled' : 'disabled'}`;
    },
  });
  const pumpZero = (signal: AbortSignal) =>
    safeStep(access, DEVICE, signal, async (driver) => {
      const { duty, enabled } = await driver.stop(exchange('safe', signal));
      if (duty === 0 && !enabled) return 'duty 0 and disabled by read-back';
      const state = `read-back shows duty ${duty}, ${enabled ? 'enabled' : 'disabled'}`;
      throw new RigError('device_error', DEVICE, state);
    });
  return { ...slotLife(access), port, component, steps: { pump_zero: pumpZero } };
}

/** The driver compares the registers it reads back before it answers. */
function reading({ powerPercent, duty, enabled, frequencyHz }: PumpDriverState): PumpReading {
  return { powerPercent, duty, enabled, frequencyHz, verified: true };
}
