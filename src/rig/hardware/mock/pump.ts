import type { Plant } from '../../../bench/plant/index.ts';
import type { PumpPort } from '../ports.ts';
import { ORIGIN } from './origin.ts';

/** The pump of the plant. */
export function mockPump(plant: Plant): PumpPort {
  let powerPercent = 0;
  const reading = () => ({
    powerPercent,
    duty: Math.round((powerPercent * 255) / 100),
    enabled: powerPercent > 0,
    frequencyHz: null,
    verified: false,
  });
  return {
    origin: ORIGIN,
    setPower: async (percent) => {
      plant.setDuty(percent / 100);
      powerPercent = percent;
      return reading();
    },
    read: async () => reading(),
  };
}
