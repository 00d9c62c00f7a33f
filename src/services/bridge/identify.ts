import { access, constants } from 'node:fs/promises';
import { kindOf } from '../../rig/device-kinds/index.ts';
import type { Component, ComponentHealth } from '../../rig/hardware/ports.ts';
import { listI2cBuses } from '../../transports/sysfs/i2c-buses.ts';
import { listSerialPorts } from '../../transports/sysfs/serial-ports.ts';
import { listUsbDevices } from '../../transports/sysfs/usb-devices.ts';
import { withAnswering } from './answering-chips.ts';
import type { Bridge } from './bridge.ts';
import { hardwareHealth } from './hardware-health.ts';

export type ScanMode = 'auto' | 'always' | 'never';

type AdapterStatus = 'ok' | 'adapter-only' | 'no-access' | 'offline' | 'mock';
type Health = Pick<
  ComponentHealth,
  'status' | 'compatible' | 'code' | 'message' | 'bench' | 'version' | 'chip'
>;

/** The answer of GET /api/v1/hardware/identify. No port is opened for it. */
export async function identify(bridge: Bridge, mode: ScanMode) {
  const { rig, config } = bridge;
  const health = await hardwareHealth(bridge);
  const components: Readonly<Record<string, Health>> = health.components;
  const suspects = rig.components.filter((one) => mode === 'always' || !components[one.id]?.compatible);
  const candidates = suspects.filter((one) => !isOwned(one, components[one.id]));
  const skipReason = scanSkipReason(mode, rig.mode === 'mock', suspects, candidates);
  const adapters = await Promise.all(
    rig.components.map(async (component) => {
      const entry = components[component.id];
      const isScanned = skipReason === null && candidates.includes(component);
      const known = statusOf(entry);
      const status = isScanned && known === 'offline' ? await presence(component) : known;
      const plugin = config.plugins.find(({ id }) => id === component.id);
      const kind = kindOf(component.id, plugin?.kind);
      if (!kind) throw new TypeError(`no kind of ${component.id}`);
      return {
        id: component.id,
        ...kind.adapter,
        ...(plugin?.connection?.type === 'modbus-tcp' ? { protocol: 'modbus-tcp' } : {}),
        version: entry?.version ?? null,
        status,
        bench: entry?.bench ?? false,
        probe: {
          connected: status === 'ok',
          source: isScanned ? 'scan' : 'plugin-health',
          message: entry?.message ?? '',
        },
      };
    }),
  );
  const lists = await bridge.coalesced.call('lists of this machine', async () => ({
    usb: await listUsbDevices(),
    serial: listSerialPorts(),
    i2c: listI2cBuses(),
  }));
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
      usb_devices: lists.usb,
      serial_ports: lists.serial,
      i2c_buses: withAnswering(
        lists.i2c,
        Object.values(components).flatMap(({ chip }) => (chip ? [chip] : [])),
      ),
    },
    simulated: rig.mode === 'mock',
    bench: rig.bench,
  };
}

/** The port of the IO module belongs to its plugin, which keeps it also while the module is silent. */
function isOwned(component: Component, health: Health | undefined): boolean {
  if (kindOf(component.id, undefined)?.role !== 'valves' || component.path === null || !health) return false;
  const isKept = !['held', 'disabled', 'config_error'].includes(health.status);
  return isKept && health.code !== 'device_unavailable';
}

function scanSkipReason(
  mode: ScanMode,
  mock: boolean,
  suspects: readonly Component[],
  candidates: readonly Component[],
): string | null {
  if (mode === 'never') return 'scan=never';
  if (mock) return 'mock mode: no device is probed';
  if (suspects.length === 0) return 'all adapters are compatible';
  if (candidates.length === 0) return 'modbus-io is not probed while its plugin owns the port';
  return null;
}

/** The device is silent or another one, but something answers or is open at its place. */
const ADAPTER_ANSWERS = new Set(['modbus_no_response', 'modbus_read_failed', 'wrong_device']);

function statusOf(health: Health | undefined): AdapterStatus {
  if (!health) return 'offline';
  const { status, code } = health;
  if (status === 'ok' || status === 'mock') return status;
  if (status === 'held' || code === 'permission_denied' || / no permission for /.test(health.message))
    return 'no-access';
  if (status === 'timeout' || status === 'incompatible' || ADAPTER_ANSWERS.has(code ?? ''))
    return 'adapter-only';
  return 'offline';
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
