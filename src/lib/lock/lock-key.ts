import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Key of a serial port: by the base name of its real path, so that every link to it means the same lock. A twin's
 * pseudo-terminal has another number after each plug, and its old one soon belongs to another device, while a lock is
 * kept: the link to it is its name.
 */
export function serialLockKey(path: string): string {
  const real = realPath(path);
  if (!real.startsWith('/dev/pts/') || real === path) return `serial-${basename(real)}`;
  return `serial-${join(realPath(dirname(path)), basename(path))}`;
}

/**
 * Key of a chip on an I2C bus, for example `i2c-1-0x48`. @param bus `/dev/i2c-1` or any path that stands for the bus
 */
export function i2cLockKey(bus: string, address: number): string {
  const name = basename(realPath(bus)).replace(/^i2c-/, '');
  return `i2c-${name}-0x${address.toString(16).padStart(2, '0')}`;
}

/** Key of a USB device, for example `usb-1ffb-00c9`. */
export function usbLockKey(vendorId: number, productId: number): string {
  return `usb-${idText(vendorId)}-${idText(productId)}`;
}

/** Key of the HID interface of a USB device, for example `usb-hid-04d8-00dd`. */
export function hidLockKey(vendorId: number, productId: number): string {
  return `usb-hid-${idText(vendorId)}-${idText(productId)}`;
}

const idText = (id: number) => id.toString(16).padStart(4, '0');

/** An unresolved path keeps its given name. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const ADDRESS_BYTES = 108;
const PREFIX = '\0svc-lock/';

/**
 * The abstract socket address of a key, padded with NUL to the whole of sun_path: the kernel compares all bytes, so
 * every program must pad alike. A key that does not fit keeps its head and gets a hash.
 */
export function lockAddress(key: string): string {
  const room = ADDRESS_BYTES - PREFIX.length;
  const fits = Buffer.byteLength(key) <= room;
  const name = fits
    ? key
    : `${key.slice(0, 40)}-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
  return (PREFIX + name).padEnd(ADDRESS_BYTES, '\0');
}
