import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hidLockKey, serialLockKey } from '../../lib/lock/lock-key.ts';
import { parseAddress } from '../../transports/address.ts';
import { type AdcService, ProfileError } from './profile.ts';

/** A device of the ADC services and the lock that its owner holds. */
export interface DeviceLock {
  device: 'HID chip' | 'UART module';
  /** A link that did not resolve at the start is locked by its given name, later by its real one: both are asked. */
  keys: readonly string[];
  /** Who may own it. */
  services: readonly AdcService[];
}

/**
 * The locks about which the profiles exclude each other. The services have the same
 * rule in src/rig/adc; this one comes without their transports, so that `svcctl` needs no native package.
 * @param settings USBADC_ADDRESS and UARTADC_SERIAL_PORT as the services get them
 * @throws TransportError, ProfileError `address_invalid`
 */
export function deviceLocks(settings: Readonly<Record<string, string | undefined>>): DeviceLock[] {
  const hid = settings.USBADC_ADDRESS || 'hid:04d8:00dd';
  const uart = settings.UARTADC_SERIAL_PORT || '/dev/serial0';
  return [
    { device: 'HID chip', keys: keysOf(hid), services: ['svc-adc-stack', 'svc-adc-usb'] },
    { device: 'UART module', keys: keysOf(uart), services: ['svc-adc-stack', 'svc-adc-uart'] },
  ];
}

function keysOf(address: string): string[] {
  const parsed = parseAddress(address);
  switch (parsed.scheme) {
    case 'hid':
      return [hidLockKey(parsed.vendorId, parsed.productId)];
    case 'serial':
      return serialKeys(parsed.path);
    case 'bench':
      // A twin's socket has no device number: its whole path is its name, also while the twin is unplugged.
      return [`bench-${realSocket(parsed.path)}`];
    default:
      throw new ProfileError(
        'address_invalid',
        `${address} is not the address of an ADC: write a path, hid:04d8:00dd or bench:<socket path> into rig.env`,
      );
  }
}

function serialKeys(path: string): string[] {
  const key = serialLockKey(path);
  // The link of a twin is locked by its whole path. Its base name may be that of a twin of another rig.
  return key.includes('/') ? [key] : [...new Set([key, `serial-${basename(path)}`])];
}

function realSocket(path: string): string {
  try {
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}
