import { join } from 'node:path';
import { listNames, readAttribute } from './sysfs.ts';

export interface I2cBusEntry {
  bus: number;
  path: string;
  /** Chips that the kernel knows; a bus is not scanned for this list. */
  chips: { address: string; name: string }[];
}

/** I2C buses and their known chips, from sysfs; no bus is opened. */
export function listI2cBuses(sys = '/sys', dev = '/dev'): I2cBusEntry[] {
  const devices = join(sys, 'bus/i2c/devices');
  const names = listNames(devices);
  return listNames(join(sys, 'class/i2c-dev')).flatMap((name) => {
    const bus = Number(name.replace('i2c-', ''));
    if (!Number.isInteger(bus)) return [];
    const chips = names
      .filter((entry) => entry.startsWith(`${bus}-`))
      .map((entry) => ({
        address: `0x${Number.parseInt(entry.slice(`${bus}-`.length), 16)
          .toString(16)
          .padStart(2, '0')}`,
        name: readAttribute(devices, entry, 'name') ?? 'unknown',
      }));
    return [{ bus, path: join(dev, name), chips }];
  });
}
