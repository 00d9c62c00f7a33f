import type { Clock } from '../../../lib/clock/clock.ts';
import type { SafeStateSteps } from '../../safe-state/safe-state.ts';
import type { Component, PumpPort, PumpReading } from '../ports.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, safeStep, slotOf } from './access.ts';
import { realComponent } from './component.ts';
import { exchange, type PumpDriver, type PumpDriverState } from './drivers.ts';

const DEVICE = 'pump-motor';

/** The pump on its own serial line. A service that owns the pump can stand behind the same port. */
export function realPump(access: DeviceAccess<PumpDriver>): PumpPort {
  return {
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
      reading(await slotOf(access, DEVICE).use((driver) => driver.readState(exchange('normal', signal)))),
  };
}

export function pumpSteps(access: DeviceAccess<PumpDriver>): Pick<SafeStateSteps, 'pump_zero'> {
  return {
    pump_zero: (signal) =>
      safeStep(access, DEVICE, signal, async (driver) => {
        const { duty, enabled } = await driver.stop(exchange('safe', signal));
        if (duty === 0 && !enabled) return 'duty 0 and disabled by read-back';
        throw new RigError(
          'device_error',
          DEVICE,
          `read-back shows duty ${duty}, ${enabled ? 'enabled' : 'disabled'}`,
        );
      }),
  };
}

export function pumpComponent(access: DeviceAccess<PumpDriver>, clock: Clock): Component {
  return realComponent({
    id: DEVICE,
    access,
    clock,
    probe: async (driver, signal) => {
      const { duty, enabled } = await driver.readState(exchange('normal', signal));
      return `DRI0050 answered: duty ${duty}, ${enabled ? 'enabled' : 'disabled'}`;
    },
  });
}

/** The driver compares the registers it reads back before it answers. */
function reading({ powerPercent, duty, enabled, frequencyHz }: PumpDriverState): PumpReading {
  return { powerPercent, duty, enabled, frequencyHz, verified: true };
}
