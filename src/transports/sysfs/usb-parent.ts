import { dirname, join } from 'node:path';
import { readAttribute, realPath } from './sysfs.ts';

/** Ids as sysfs writes them: four hex digits, lower case. */
export interface UsbIds {
  vid: string;
  pid: string;
}

export interface UsbParent extends UsbIds {
  /** Its folder of sysfs. */
  folder: string;
}

/** The USB device that a folder of sysfs hangs on; undefined when it hangs on none. @param folder a real path */
export function usbParent(folder: string): UsbParent | undefined {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const vid = readAttribute(at, 'idVendor');
    const pid = readAttribute(at, 'idProduct');
    if (vid !== null && pid !== null) return { vid: vid.toLowerCase(), pid: pid.toLowerCase(), folder: at };
  }
  return undefined;
}

/** The USB device behind a tty, found by its name and by its device number. */
export function usbParentsOfTty(name: string, deviceNumber: number, sys: string): UsbIds[] {
  const [major, minor] = [
    (deviceNumber >> 8) & 0xfff,
    (deviceNumber & 0xff) | ((deviceNumber >> 12) & 0xfff00),
  ];
  const folders = [
    realPath(join(sys, 'class/tty', name, 'device')),
    realPath(join(sys, 'dev/char', `${major}:${minor}`)),
  ];
  return folders.flatMap((folder) => (folder === null ? [] : (usbParent(folder) ?? [])));
}
