import type { ConfigFault } from '../../lib/config/config-error.ts';
import { kindOf } from '../device-kinds/index.ts';
import { valveBoard } from '../device-kinds/valve-board.ts';
import { DeviceNames } from '../hardware/names.ts';
import { VALVES_PER_BOARD } from '../hardware/ports.ts';
import { nearNames } from '../interlocks/near-names.ts';
import { normalName } from '../registry/name.ts';
import { Registry } from '../registry/registry.ts';
import { sensorsOfPlugins } from '../registry/registry-of.ts';
import type { Config, SensorEntry } from './types.ts';

/**
 * The names in `svc.yaml` that mean nothing on this rig, or more than one thing: a misspelt sensor would lose its
 * calibration, an alias of nothing would fail in the middle of a run. Rules between actuators: `interlocksOf`.
 */
export function nameFaults(config: Config): ConfigFault[] {
  const names = new DeviceNames(config.aliases, config.plugins);
  const own = { valves: names.valveIds.length, sensors: sensorsOfPlugins(config) };
  const bare = new Registry(own);
  const peripherals = Object.keys(config.peripherals)
    .filter((id) => !isKnown(bare, id))
    .map((id) => ({ id, kind: 'other' as const }));
  const registry = new Registry({ ...own, aliases: config.aliases, peripherals });
  return [
    ...pluginFaults(config, new Registry({ valves: valveBoard.names.length * VALVES_PER_BOARD })),
    ...aliasFaults(config, registry, names),
    ...sensorFaults(config, registry),
    ...peripheralFaults(config, bare),
    ...channelFaults(config),
  ];
}

const isKnown = (registry: Registry, name: string): boolean =>
  registry.peripheral(name) !== undefined || registry.sensor(name) !== undefined;

/** A sensor has the name of its plugin: it stands for nothing else, also when the rig gets its second valve board. */
function pluginFaults({ plugins }: Config, product: Registry): ConfigFault[] {
  return plugins.flatMap(({ id }): ConfigFault[] => {
    if (kindOf(id, undefined) || !isKnown(product, id)) return [];
    const other = product.peripheral(id)?.id ?? product.sensor(id)?.id;
    const message = `is a name of ${other} already; give this device another name`;
    return [{ path: `plugins.${id}`, value: null, message }];
  });
}

function aliasFaults({ aliases }: Config, registry: Registry, names: DeviceNames): ConfigFault[] {
  const seen = new Map<string, string>();
  return Object.entries(aliases).flatMap(([alias, id]): ConfigFault[] => {
    const fault = (message: string) => [{ path: `aliases.${alias}`, value: JSON.stringify(id), message }];
    const key = normalName(alias);
    if (key === '') return fault('is an alias without letters; give it a name');
    const before = seen.get(key);
    seen.set(key, alias);
    if (before !== undefined) return fault(`is the same name as ${before}; keep one of them`);
    const what = 'neither an actuator, a sensor nor a peripheral of this rig, nor an alias of one';
    const known = [...registry.peripheralNames(), ...registry.sensorNames()];
    if (!isKnown(registry, id)) return fault(`${id} is ${what}${remedy(id, known)}`);
    if (isOwnId(key, names) && !isSame(key, id, names))
      return fault(
        `${key} is the id of a device of this rig and cannot stand for another one; use another alias`,
      );
    return [];
  });
}

const isOwnId = (key: string, { valveIds, sensorIds }: DeviceNames): boolean =>
  valveIds.includes(key) || sensorIds.includes(key) || key === 'pump-main' || key === 'lung-main';

/** An own id may lead back to itself: `ai01` to `nc-sensor`. */
const isSame = (key: string, id: string, names: DeviceNames): boolean =>
  key.endsWith('-main')
    ? key === normalName(id)
    : names.coil(key) === names.coil(id) && names.sensor(key) === names.sensor(id);

function sensorFaults({ sensors }: Config, registry: Registry): ConfigFault[] {
  const owners = new Map<string, string>();
  return Object.entries(sensors).flatMap(([name, entry]): ConfigFault[] => {
    const sensor = registry.sensor(name);
    const id = sensor?.id;
    const inputs = registry.sensorNames();
    if (id === undefined)
      return [
        {
          path: `sensors.${name}`,
          value: null,
          message: `${name} is not a sensor of this rig${remedy(name, inputs)}`,
        },
      ];
    if (sensor?.plugin !== undefined) {
      const message = `${id} measures in ${sensor.unit} by itself; calibration, range_volts and resolution are for voltage inputs: take this entry out`;
      return [{ path: `sensors.${name}`, value: null, message }];
    }
    return (Object.keys(entry) as (keyof SensorEntry)[]).flatMap((key): ConfigFault[] => {
      const before = owners.get(`${id} ${key}`);
      owners.set(`${id} ${key}`, name);
      if (before === undefined) return [];
      const message = `is the same input as sensors.${before}, which has this key already; keep one of them`;
      return [{ path: `sensors.${name}.${FILE_KEYS[key]}`, value: null, message }];
    });
  });
}

const FILE_KEYS: Readonly<Record<keyof SensorEntry, string>> = {
  calibration: 'calibration',
  rangeVolts: 'range_volts',
  resolution: 'resolution',
};

/** What has a driver cannot be a kept value too: one of the two would never be seen. */
function peripheralFaults({ peripherals }: Config, bare: Registry): ConfigFault[] {
  const seen = new Map<string, string>();
  return Object.keys(peripherals).flatMap((id): ConfigFault[] => {
    const fault = (message: string) => [{ path: `peripherals.${id}`, value: null, message }];
    const key = normalName(id);
    const before = seen.get(key);
    seen.set(key, id);
    if (before !== undefined) return fault(`is the same name as ${before}; keep one of them`);
    if (isKnown(bare, id))
      return fault(
        'is the name of a device of this rig; a peripheral is a value without driver, give it another name',
      );
    return [];
  });
}

/** Two inputs that read one channel would agree for ever. */
function channelFaults({ adcMap }: Config): ConfigFault[] {
  const owners = new Map<string, string>();
  return Object.entries(adcMap?.channels ?? {}).flatMap(([input, { endpoint }]): ConfigFault[] => {
    const before = owners.get(endpoint);
    owners.set(endpoint, input);
    if (before === undefined) return [];
    const message = `is the endpoint of ${before} already; give each input a channel of its own`;
    return [{ path: `adc_map.channels.${input}.endpoint`, value: JSON.stringify(endpoint), message }];
  });
}

function remedy(name: string, known: readonly string[]): string {
  const near = nearNames(name, known);
  const ids = known.filter((one) => /^(valve-\d+|ai0\d|pump-main|lung-main)$/.test(one));
  return near.length > 0 ? `; did you mean ${near.join(' or ')}?` : `; use one of ${ids.join(', ')}`;
}
