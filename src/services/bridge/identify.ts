import { access, constants } from 'node:fs/promises';
import type { PluginId } from '../../lib/config/types.ts';
import type { Component } from '../../rig/hardware/ports.ts';
import { listI2cBuses } from '../../transports/sysfs/i2c-buses.ts';
import { listSerialPorts } from '../../transports/sysfs/serial-ports.ts';
import { listUsbDevices } from '../../transports/sysfs/usb-devices.ts';
import type { Bridge } from './bridge.ts';
import { hardwareHealth } from './hardware-health.ts';

export type ScanMode = 'auto' | 'always' | 'never';

const ADAPTERS: Readonly<Record<PluginId, { name: string; protocol: string; description: string }>> = {
  'sensor-adc': { name: 'ADS1115', protocol: 'i2c', description: 'sensor ADC' },
  'pump-motor': { name: 'DRI0050', protocol: 'modbus-rtu', description: 'pump motor' },
  'lung-motor': { name: 'Tic T249', protocol: 'usb', description: 'lung motor' },
  'modbus-io': { name: 'Modbus RTU IO 8CH', protocol: 'modbus-rtu', description: 'valves, IO controller' },
  'adc-stack': { name: 'ADC stack', protocol: 'http', description: 'combined ADC services' },
};

type AdapterStatus = 'ok' | 'adapter-only' | 'no-access' | 'offline' | 'mock';

/** The answer of GET /api/v1/hardware/identify (services specification, section 10.3). No port is opened for it. */
export async function identify(bridge: Bridge, mode: ScanMode) {
  const { rig } = bridge;
  const health = await hardwareHealth(bridge);
  const suspects = rig.components.filter(
    (one) => mode === 'always' || !health.components[one.id]?.compatible,
  );
  const skipReason = scanSkipReason(mode, rig.mode === 'mock', suspects.length);
  const adapters = await Promise.all(
    rig.components.map(async (component) => {
      const entry = health.components[component.id];
      const scanned = skipReason === null && suspects.includes(component) && entry?.status !== 'ok';
      const status = scanned ? await presence(component) : fromHealth(entry?.status);
      return {
        id: component.id,
        ...ADAPTERS[component.id],
        version: null,
        status,
        bench: entry?.bench ?? false,
        probe: {
          connected: status === 'ok',
          source: scanned ? 'scan' : 'plugin-health',
          message: entry?.message ?? '',
        },
      };
    }),
  );
  return {
    mode: rig.mode,
    detected: adapters.filter((adapter) => adapter.status === 'ok').length,
    total: adapters.length,
    adapters,
    diagnostics: {
      scan_mode: mode,
      scan_performed: skipReason === null,
      scan_skip_reason: skipReason,
      health,
      usb_devices: await listUsbDevices(),
      serial_ports: listSerialPorts(),
      i2c_buses: listI2cBuses(),
    },
    simulated: rig.mode === 'mock',
    bench: rig.bench,
  };
}

function scanSkipReason(mode: ScanMode, mock: boolean, suspects: number): string | null {
  if (mode === 'never') return 'scan=never';
  if (mock) return 'mock mode: no device is probed';
  if (suspects === 0) return 'all adapters are compatible';
  return null;
}

function fromHealth(status: string | undefined): AdapterStatus {
  if (status === 'ok' || status === 'mock') return status;
  return status === 'held' ? 'no-access' : 'offline';
}

/** What stands at the configured place of an adapter that does not answer. Looks, but opens nothing. */
async function presence(component: Component): Promise<AdapterStatus> {
  if (component.path === null) return 'offline';
  try {
    await access(component.path, constants.F_OK);
  } catch {
    return 'offline';
  }
  try {
    await access(component.path, constants.R_OK | constants.W_OK);
    return 'adapter-only';
  } catch {
    return 'no-access';
  }
}
