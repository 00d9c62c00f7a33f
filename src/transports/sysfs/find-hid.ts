import { existsSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { findUsb, type HostRoots, type UsbEntry } from './find-usb.ts';
import { driverOf, listNames, readAttribute, realPath } from './sysfs.ts';

/** A HID interface of a USB device and the ways to it that this machine has. */
export interface HidCandidate {
  usb: UsbEntry;
  /** Kernel name of the interface, for example `1-1.2:1.2`; hidapi's libusb half calls it the same. */
  interfaceName: string;
  /** What owns it: `hid-generic`, `mcp2221`, `usbfs` (a program through libusb), ...; null when nothing does. */
  kernelDriver: string | null;
  /** For example `/dev/hidraw0`; null when the kernel made none. */
  hidraw: string | null;
  /** Folder of the IIO device that the kernel driver made of it, for example `/sys/bus/iio/devices/iio:device0`. */
  iio: string | null;
}

/** HID interface class of USB. */
const HID_CLASS = '03';

/**
 * The HID interfaces of the plugged devices with these ids: one for each device, its first by number (of the MCP2221A
 * that is interface 2). The same plugs give the same order. Nothing is opened.
 */
export function findHid(vendorId: number, productId: number, roots: HostRoots = {}): HidCandidate[] {
  const { sys = '/sys', dev = '/dev' } = roots;
  return findUsb(vendorId, productId, roots).flatMap((usb) => {
    const interfaceName = listNames(usb.directory)
      .filter((name) => name.startsWith(`${usb.name}:`))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .find((name) => readAttribute(usb.directory, name, 'bInterfaceClass') === HID_CLASS);
    if (interfaceName === undefined) return [];
    const folder = join(usb.directory, interfaceName);
    const hidDevice = listNames(folder).find((name) =>
      /^[0-9A-F]{4}(:[0-9A-F]{4}){2}\.[0-9A-F]+$/i.test(name),
    );
    const hidFolder = hidDevice === undefined ? undefined : join(folder, hidDevice);
    return [
      {
        usb,
        interfaceName,
        kernelDriver: (hidFolder === undefined ? null : driverOf(hidFolder)) ?? driverOf(folder),
        hidraw: hidFolder === undefined ? null : hidrawNode(hidFolder, dev),
        iio: iioDevice(usb.directory, sys),
      },
    ];
  });
}

/** Null also when the node itself is missing, as it is for a moment after a plug and in a container. */
function hidrawNode(hidFolder: string, dev: string): string | null {
  const [name] = listNames(join(hidFolder, 'hidraw'));
  const node = name === undefined ? null : join(dev, name);
  return node !== null && existsSync(node) ? node : null;
}

function iioDevice(usbFolder: string, sys: string): string | null {
  const base = join(sys, 'bus/iio/devices');
  const name = listNames(base).find((entry) => {
    if (!/^iio:device\d+$/.test(entry)) return false;
    const real = realPath(base, entry);
    return real !== null && basename(real) === entry && real.startsWith(usbFolder + sep);
  });
  return name === undefined ? null : join(base, name);
}
