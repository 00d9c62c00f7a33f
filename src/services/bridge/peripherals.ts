import { freePeripherals, ownedPeripherals, type PeripheralInfo } from '../../rig/hardware/peripherals.ts';
import { normalName } from '../../rig/registry/name.ts';
import type { Bridge } from './bridge.ts';

/** Everything a person can see or set: what drivers own, then what `svc.yaml` names without driver. */
export function listPeripherals(bridge: Bridge): PeripheralInfo[] {
  return [...ownedPeripherals(bridge.config.plugins), ...freePeripherals(bridge.config.peripherals)];
}

/** By id or alias. */
export function findPeripheral(bridge: Bridge, name: string): PeripheralInfo | undefined {
  const coil = bridge.names.coil(name);
  const key = normalName(name);
  const id = (coil === undefined ? bridge.names.sensor(name) : bridge.names.valveIds[coil]) ?? key;
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
