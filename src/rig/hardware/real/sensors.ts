import type { Clock } from '../../../lib/clock/clock.ts';
import type { Component, SensorPort } from '../ports.ts';
import type { SensorDevice } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, slotLife, slotOf } from './access.ts';
import { realComponent } from './component.ts';
import { type AdcDriver, exchange } from './drivers.ts';

const DEVICE = 'sensor-adc';
const INPUTS = [0, 1, 2, 3] as const;

/** The converter on an I2C bus of this process. */
export function drivenSensors(access: DeviceAccess<AdcDriver>, clock: Clock): SensorDevice {
  return {
    ...slotLife(access),
    port: sensorPort(access),
    component: sensorComponent(access, clock),
    steps: {},
  };
}

function sensorPort(access: DeviceAccess<AdcDriver>): SensorPort {
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

function sensorComponent(access: DeviceAccess<AdcDriver>, clock: Clock): Component {
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
