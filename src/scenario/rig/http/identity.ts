import type { Identity, IdentityBus, IdentityDevice } from '../rig.ts';
import { isRecord } from './rejection.ts';

/** The lists of an identify answer; undefined when they are not there. */
export function identityOf(json: unknown): Identity | undefined {
  const diagnostics = isRecord(json) ? json.diagnostics : undefined;
  if (!isRecord(diagnostics)) return undefined;
  const { serial_ports: ports, usb_devices: usb, i2c_buses: buses } = diagnostics;
  if (!Array.isArray(ports) || !Array.isArray(buses)) return undefined;
  return {
    devices: [...ports, ...(Array.isArray(usb) ? usb : [])].filter(isRecord).map(deviceOf),
    buses: buses.filter(isRecord).map(busOf),
  };
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function deviceOf(entry: Record<string, unknown>): IdentityDevice {
  const links = Array.isArray(entry.links) ? entry.links : [];
  const names = [entry.device, entry.path, entry.by_id, entry.by_path, ...links];
  return {
    paths: names.filter((name): name is string => typeof name === 'string' && name !== ''),
    chip: text(entry.chip) ?? text(entry.product),
    kind: text(entry.kind),
  };
}

function busOf(entry: Record<string, unknown>): IdentityBus {
  const chips = Array.isArray(entry.chips) ? entry.chips.filter(isRecord) : [];
  return {
    path: text(entry.path) ?? `/dev/i2c-${String(entry.bus)}`,
    chips: chips.map((chip) => ({ address: Number(chip.address), name: text(chip.name) ?? '' })),
  };
}
