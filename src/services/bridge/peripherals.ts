import type { PluginId } from '../../lib/config/types.ts';
import { SENSOR_IDS, VALVE_IDS } from '../../rig/hardware/names.ts';
import { normalName } from '../../rig/registry/name.ts';
import type { Bridge } from './bridge.ts';

export interface PeripheralInfo {
  id: string;
  type: string;
  name: string;
  unit: string | null;
  /** Null: no driver owns it, the bridge only keeps its values. */
  adapter: PluginId | null;
}

const PUMP: PeripheralInfo = {
  id: 'pump-main',
  type: 'pump',
  name: 'Pump',
  unit: '%',
  adapter: 'pump-motor',
};
const LUNG: PeripheralInfo = {
  id: 'lung-main',
  type: 'lung',
  name: 'Lung',
  unit: null,
  adapter: 'lung-motor',
};

const OWNED: readonly PeripheralInfo[] = [
  ...VALVE_IDS.map((id, i) => ({
    id,
    type: 'valve',
    name: `Valve ${i + 1}`,
    unit: null,
    adapter: 'modbus-io' as const,
  })),
  PUMP,
  LUNG,
  ...SENSOR_IDS.map((id, i) => ({
    id,
    type: 'sensor',
    name: `Analog input ${i + 1}`,
    unit: 'V',
    adapter: 'sensor-adc' as const,
  })),
];

/** Everything a person can see or set: what drivers own, then what `svc.yaml` names without driver. */
export function listPeripherals(bridge: Bridge): PeripheralInfo[] {
  const free = Object.entries(bridge.config.peripherals).map(([id, entry]) => ({
    id: normalName(id),
    type: entry.type ?? 'other',
    name: entry.name ?? id,
    unit: entry.unit ?? null,
    adapter: null,
  }));
  return [...OWNED, ...free];
}

/** By id or alias. */
export function findPeripheral(bridge: Bridge, name: string): PeripheralInfo | undefined {
  const coil = bridge.names.coil(name);
  const input = bridge.names.input(name);
  const key = normalName(name);
  let id = key;
  if (coil !== undefined) id = VALVE_IDS[coil] ?? key;
  else if (input !== undefined) id = SENSOR_IDS[input] ?? key;
  return listPeripherals(bridge).find((one) => one.id === id);
}

/** How the driver of a peripheral stands, as far as known without touching it. */
export function peripheralStanding(
  bridge: Bridge,
  info: PeripheralInfo,
): { connected: boolean; status: string } {
  if (info.adapter === null) return { connected: true, status: 'ok' };
  const component = bridge.rig.components.find((one) => one.id === info.adapter);
  const status = component?.known().status ?? 'not_configured';
  return { connected: status === 'ok', status };
}
