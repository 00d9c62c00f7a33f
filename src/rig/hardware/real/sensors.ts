import type { Clock } from '../../../lib/clock/clock.ts';
import type { Component, SensorPort } from '../ports.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, slotOf } from './access.ts';
import { realComponent } from './component.ts';
import { type AdcDriver, exchange } from './drivers.ts';

const DEVICE = 'sensor-adc';
const INPUTS = [0, 1, 2, 3] as const;

export function realSensors(access: DeviceAccess<AdcDriver>): SensorPort {
  return {
    origin: originOf(access),
    read: async (input, signal) => {
      const known = INPUTS.find((one) => one === input);
      if (known === undefined)
        throw new RigError('device_error', DEVICE, `has no input ${input}; inputs are 0..3`);
      const sample = await slotOf(access, DEVICE).use((driver) =>
        driver.read(known, exchange('normal', signal)),
      );
      return {
        volts: sample.volts,
        raw: sample.raw,
        saturated: sample.saturated,
        observedAt: sample.observedAt,
        adapter: DEVICE,
        physicalInput: `ADS1115.AIN${known}`,
        source: access.kind === 'slot' ? access.endpoint : DEVICE,
      };
    },
  };
}

export function sensorComponent(access: DeviceAccess<AdcDriver>, clock: Clock): Component {
  return realComponent({
    id: DEVICE,
    access,
    clock,
    probe: async (driver, signal) => {
      await driver.probe(signal);
      return 'ADS1115 answered';
    },
  });
}
