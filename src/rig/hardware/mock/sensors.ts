import type { Plant } from '../../../bench/plant/index.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import type { SensorPort } from '../ports.ts';
import { ORIGIN } from './origin.ts';

/** The analog inputs of the plant. */
export function mockSensors(plant: Plant, clock: Clock): SensorPort {
  return {
    origin: ORIGIN,
    read: async (input) => ({
      volts: plant.volts(input),
      raw: null,
      saturated: false,
      observedAt: clock.now(),
      adapter: 'sensor-adc',
      physicalInput: `ADS1115.AIN${input}`,
      source: 'plant',
    }),
  };
}
