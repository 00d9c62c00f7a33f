import type { Config, PluginId } from '../../lib/config/types.ts';
import { SENSOR_IDS, VALVE_IDS } from '../../rig/hardware/names.ts';
import { normalName } from '../../rig/registry/name.ts';

export interface ConfiguredPeripheral {
  id: string;
  type: string;
  name: string;
  unit: string | null;
  adapter: PluginId | null;
  connected: false;
  status: 'unknown';
}

type Owned = Omit<ConfiguredPeripheral, 'connected' | 'status' | 'adapter'> & { adapter: PluginId };

const OWNED: readonly Owned[] = [
  ...VALVE_IDS.map(
    (id, i): Owned => ({ id, type: 'valve', name: `Valve ${i + 1}`, unit: null, adapter: 'modbus-io' }),
  ),
  { id: 'pump-main', type: 'pump', name: 'Pump', unit: '%', adapter: 'pump-motor' },
  { id: 'lung-main', type: 'lung', name: 'Lung', unit: null, adapter: 'lung-motor' },
  ...SENSOR_IDS.map(
    (id, i): Owned => ({
      id,
      type: 'sensor',
      name: `Analog input ${i + 1}`,
      unit: 'V',
      adapter: 'sensor-adc',
    }),
  ),
];

/** What the configuration says the rig has. Nobody was asked, so nothing is known of any of it. */
export function configuredPeripherals({ plugins, peripherals }: Config): ConfiguredPeripheral[] {
  const enabled = new Set(plugins.filter((plugin) => plugin.enabled).map(({ id }) => id));
  const unknown = { connected: false, status: 'unknown' } as const;
  return [
    ...OWNED.filter(({ adapter }) => enabled.has(adapter)).map((one) => ({ ...one, ...unknown })),
    ...Object.entries(peripherals).map(([id, entry]) => ({
      id: normalName(id),
      type: entry.type ?? 'other',
      name: entry.name ?? id,
      unit: entry.unit ?? null,
      adapter: null,
      ...unknown,
    })),
  ];
}
