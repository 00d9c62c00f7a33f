import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';

/** One attribute file of sysfs, trimmed; null when it is not there. */
export function readAttribute(...path: string[]): string | null {
  try {
    return readFileSync(join(...path), 'utf8').trim();
  } catch {
    return null;
  }
}

/** Names in a directory; empty when it is not there. */
export function listNames(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

/** Where a path really leads; null when it leads nowhere. */
export function realPath(...path: string[]): string | null {
  try {
    return realpathSync(join(...path));
  } catch {
    return null;
  }
}

/** Name of the kernel driver that owns a device or an interface; null when none does. */
export function driverOf(device: string): string | null {
  const driver = realPath(device, 'driver');
  return driver === null ? null : basename(driver);
}
