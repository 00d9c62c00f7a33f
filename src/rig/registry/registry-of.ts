import type { Config } from '../../lib/config/types.ts';
import { valveIdsOf } from '../hardware/names.ts';
import { Registry, type Sensor } from './registry.ts';

/** The names that people and scenarios may use on the configured rig. */
export function registryOf(config: Config): Registry {
  const { aliases, pumpFullScaleLpm, peripherals, sensors } = config;
  const valves = valveIdsOf(config.plugins).length;
  const named = new Registry({ aliases, valves });
  return new Registry({
    aliases,
    valves,
    pumpFullScaleLpm,
    peripherals: Object.keys(peripherals)
      .filter((id) => !named.peripheral(id))
      .map((id) => ({ id, kind: 'other' as const })),
    // An entry may stand under an alias; its calibration belongs to the sensor that the alias means.
    sensors: Object.entries(sensors).map(([name, { calibration }]): Sensor => {
      const { id, unit } = named.sensor(name) ?? { id: name, unit: 'V' };
      return { id, unit, ...(calibration ? { calibration } : {}) };
    }),
  });
}
