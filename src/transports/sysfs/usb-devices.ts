import { join } from 'node:path';
import { listNames, readAttribute } from './sysfs.ts';

export interface UsbDevice {
  /** Kernel name of the device, for example `1-1.2`. */
  device: string;
  vid: string;
  pid: string;
  manufacturer: string | null;
  product: string | null;
  serial: string | null;
}

/** USB devices as the kernel lists them; nothing is opened. @param sys root of sysfs */
export function listUsbDevices(sys = '/sys'): UsbDevice[] {
  const base = join(sys, 'bus/usb/devices');
  return listNames(base).flatMap((device) => {
    const vid = readAttribute(base, device, 'idVendor');
    const pid = readAttribute(base, device, 'idProduct');
    if (vid === null || pid === null) return [];
    return [
      {
        device,
        vid: usbId(vid),
        pid: usbId(pid),
        manufacturer: readAttribute(base, device, 'manufacturer'),
        product: readAttribute(base, device, 'product'),
        serial: readAttribute(base, device, 'serial'),
      },
    ];
  });
}

export function usbId(hex: string): string {
  return `0x${hex.toUpperCase().padStart(4, '0')}`;
}
