import { join } from 'node:path';
import { listNames, readAttribute, realPath } from './sysfs.ts';

/** Where sysfs and the device files are; tests give trees of their own. */
export interface HostRoots {
  sys?: string;
  dev?: string;
}

/** One USB device as the kernel shows it; its own strings are read by `usbStrings`. */
export interface UsbEntry {
  /** Kernel name, for example `1-1.2`: bus 1, port 1, port 2. */
  name: string;
  /** Its folder below /sys/devices. */
  directory: string;
  vendorId: number;
  productId: number;
  /** BCD: 0x0106 is 1.06. */
  bcdDevice: number;
  busNumber: number;
  /** Number on the bus; another one after each plug. */
  deviceNumber: number;
  /** Device file that libusb opens, for example `/dev/bus/usb/001/004`. */
  node: string;
}

/**
 * USB devices with these ids, in order of bus and port: the same plugs give the same order. Nothing is opened. Entries
 * that vanish or are incomplete while they are read are left out.
 *
 * No strings are read: see `usbStrings`.
 */
export function findUsb(vendorId: number, productId: number, roots: HostRoots = {}): UsbEntry[] {
  const { sys = '/sys', dev = '/dev' } = roots;
  const base = join(sys, 'bus/usb/devices');
  return listNames(base)
    .filter((name) => /^\d+-[\d.]+$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .flatMap((name) => {
      const directory = realPath(base, name);
      if (directory === null) return [];
      const number = (attribute: string, radix: number) =>
        Number.parseInt(readAttribute(directory, attribute) ?? '', radix);
      if (number('idVendor', 16) !== vendorId || number('idProduct', 16) !== productId) return [];
      const [bcdDevice, busNumber, deviceNumber] = [
        number('bcdDevice', 16),
        number('busnum', 10),
        number('devnum', 10),
      ];
      if (![bcdDevice, busNumber, deviceNumber].every(Number.isInteger)) return [];
      return [
        {
          name,
          directory,
          vendorId,
          productId,
          bcdDevice,
          busNumber,
          deviceNumber,
          node: join(dev, 'bus/usb', padded(busNumber), padded(deviceNumber)),
        },
      ];
    });
}

const padded = (number: number) => String(number).padStart(3, '0');

/** Whether the same plugged device is still there: a re-plug gives another number. */
export function isStillPlugged(entry: UsbEntry): boolean {
  return readAttribute(entry.directory, 'devnum') === String(entry.deviceNumber);
}
