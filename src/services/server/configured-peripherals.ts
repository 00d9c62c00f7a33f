import type { Config } from '../../rig/configuration/types.ts';
import { freePeripherals, ownedPeripherals, type PeripheralInfo } from '../../rig/hardware/peripherals.ts';

export interface ConfiguredPeripheral extends PeripheralInfo {
  connected: false;
  status: 'unknown';
}

/** What the configuration says the rig has. Nobody was asked, so nothing is known of any of it. */
export function configuredPeripherals({ plugins, peripherals }: Config): ConfiguredPeripheral[] {
  const enabled = new Set(plugins.filter((plugin) => plugin.enabled).map(({ id }) => id));
  const owned = ownedPeripherals(plugins).filter(({ adapter }) => enabled.has(adapter));
  return [...owned, ...freePeripherals(peripherals)].map((one) => ({
    ...one,
    connected: false,
    status: 'unknown',
  }));
}
