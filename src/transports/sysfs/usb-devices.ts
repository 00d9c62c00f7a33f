import { join } from 'node:path';
import { listNames, readAttribute } from './sysfs.ts';
import { type UsbStrings, usbStrings } from './usb-strings.ts';

export interface UsbDevice extends UsbStrings {
  /** Kernel name of the device, for example `1-1.2`. */
  device: string;
  vid: string;
  pid: string;
}

/** USB devices as the kernel lists them; nothing is opened. @param sys root of sysfs */
export async function listUsbDevices(sys = '/sys'): Promise<UsbDevice[]> {
  const base = join(sys, 'bus/usb/devices');
  const ids = listNames(base).flatMap((device) => {
    const vid = readAttribute(base, device, 'idVendor');
    const pid = readAttribute(base, device, 'idProduct');
    return vid === null || pid === null ? [] : [{ device, vid: usbId(vid), pid: usbId(pid) }];
  });
  return Promise.all(ids.map(async (one) => ({ ...one, ...(await usbStrings(join(base, one.device))) })));
}

export function usbId(hex: string): string {
  return `0x${hex.toUpperCase().padStart(4, '0')}`;
}
