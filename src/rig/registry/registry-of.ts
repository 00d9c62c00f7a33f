import type { Config, SensorEntry } from '../configuration/types.ts';
import { kindNamed } from '../device-kinds/index.ts';
import { voltageConverter } from '../device-kinds/voltage-converter.ts';
import { valveIdsOf } from '../hardware/names.ts';
import { SENSOR_IDS } from '../hardware/voltage-inputs.ts';
import { Registry, type RegistryEntries, type Sensor } from './registry.ts';

/** The names that people and scenarios may use on the configured rig. */
export const registryOf = (config: Config): Registry => new Registry(registryEntriesOf(config));

/** The same as plain data, for a program that makes its registry elsewhere. */
export function registryEntriesOf(config: Config): RegistryEntries {
  const { aliases, pumpFullScaleLpm, peripherals } = config;
  const valves = valveIdsOf(config.plugins).length;
  const named = new Registry({ aliases, valves });
  return {
    aliases,
    valves,
    pumpFullScaleLpm,
    peripherals: Object.keys(peripherals)
      .filter((id) => !named.peripheral(id))
      .map((id) => ({ id, kind: 'other' as const })),
    sensors: [...voltageSensors(config, named), ...sensorsOfPlugins(config)],
  };
}

/** Over-range begins above. */
const DFR1184_RANGE = [0, 10] as const;

/** Sensors in a unit of their own: what the device measures, and how finely. No calibration applies to them. */
export const sensorsOfPlugins = ({ plugins }: Pick<Config, 'plugins'>): Sensor[] =>
  plugins.flatMap(({ id, kind: word, range }) => {
    const kind = kindNamed(word);
    return kind?.role === 'sensor' ? [{ id, ...kind.quantity, ...(range ? { range } : {}), plugin: id }] : [];
  });

/**
 * The voltage inputs with what `svc.yaml` says of them. An entry may stand under an alias: it belongs to what that
 * means.
 */
function voltageSensors(config: Config, named: Registry): Sensor[] {
  const entries = new Map<string, SensorEntry>(SENSOR_IDS.map((id) => [named.sensor(id)?.id ?? id, {}]));
  for (const [name, entry] of Object.entries(config.sensors)) {
    const id = named.sensor(name)?.id ?? name;
    entries.set(id, { ...entries.get(id), ...entry });
  }
  const ranges = new Map(
    SENSOR_IDS.map((input) => [named.sensor(input)?.id ?? input, converterRange(config, input)]),
  );
  // Another converter takes the place of the sensor ADC: its step is not known here.
  const mapped = new Set(Object.keys(config.adcMap?.channels ?? {}).map((name) => named.sensor(name)?.id));
  const stepOf = (id: string) => (mapped.has(id) ? undefined : named.sensor(id)?.resolution);
  return [...entries].map(([id, { calibration, rangeVolts = ranges.get(id), resolution = stepOf(id) }]) => ({
    id,
    unit: voltageConverter.quantity.unit,
    ...(rangeVolts ? { range: rangeVolts } : {}),
    ...(resolution === undefined ? {} : { resolution }),
    ...(calibration ? { calibration } : {}),
  }));
}

/** What the converter of an input can measure, volts. Undefined for one whose reference is set elsewhere. */
function converterRange({ adcMap, plugins }: Config, input: string): readonly [number, number] | undefined {
  if (adcMap && input in adcMap.channels) return adcMap.device === 'usb-adc-uart' ? DFR1184_RANGE : undefined;
  const { names, quantity } = voltageConverter;
  return plugins.some(({ id, enabled }) => names.some((name) => name === id) && enabled)
    ? quantity.range
    : undefined;
}
