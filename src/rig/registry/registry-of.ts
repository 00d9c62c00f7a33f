import type { Config } from '../../lib/config/types.ts';
import { Registry, type Sensor } from './registry.ts';

/** The names that people and scenarios may use on the configured rig. */
export function registryOf(config: Config): Registry {
  const { aliases, pumpFullScaleLpm, peripherals, sensors, adcMap } = config;
  const named = new Registry({ aliases });
  return new Registry({
    aliases,
    pumpFullScaleLpm,
    peripherals: Object.keys(peripherals)
      .filter((id) => !named.peripheral(id))
      .map((id) => ({ id, kind: 'other' as const })),
    // An entry may stand under an alias; its calibration belongs to the sensor that the alias means.
    sensors: [
      // Another converter takes the place of the sensor ADC: its step is not known here.
      ...Object.keys(adcMap?.channels ?? {}).flatMap((name) => {
        const sensor = named.sensor(name);
        return sensor ? [{ id: sensor.id, unit: sensor.unit }] : [];
      }),
      ...Object.entries(sensors).map(([name, { calibration, resolution }]): Sensor => {
        const known = named.sensor(name);
        const { id, unit } = known ?? { id: name, unit: 'V' };
        const mapped = Object.keys(adcMap?.channels ?? {}).some((one) => named.sensor(one)?.id === id);
        const step = resolution ?? (mapped ? undefined : known?.resolution);
        return {
          id,
          unit,
          ...(step === undefined ? {} : { resolution: step }),
          ...(calibration ? { calibration } : {}),
        };
      }),
    ],
  });
}
