import { basename, join } from 'node:path';
import { listNames, realPath } from './sysfs.ts';
import { usbId } from './usb-devices.ts';
import { usbParent } from './usb-parent.ts';

export interface SerialPortEntry {
  device: string;
  /** Stable link, preferred over the device's number; null when udev made none. */
  by_id: string | null;
  vid: string | null;
  pid: string | null;
  chip: string | null;
  /** `usb-adc` is the tty of the USB ADC chip: it is never opened as a serial port. */
  kind: 'serial' | 'uart' | 'usb-adc';
}

const CHIPS: Readonly<Record<string, string>> = {
  '1a86:7523': 'CH340',
  '1a86:55d3': 'CH343',
  '067b:2323': 'PL2303',
  '0403:6001': 'FT232R',
  '0403:6015': 'FT230X',
  '04d8:00dd': 'MCP2221A',
};

/** Serial ports with a device behind them, from sysfs; no port is opened. */
export function listSerialPorts(sys = '/sys', dev = '/dev'): SerialPortEntry[] {
  const links = byId(dev);
  const base = join(sys, 'class/tty');
  return listNames(base).flatMap((name) => {
    const parent = realPath(join(base, name, 'device'));
    // Virtual consoles have no device; ttyS entries without hardware hang on the platform's placeholder.
    if (parent === null || basename(parent) === 'serial8250') return [];
    const device = join(dev, name);
    const usb = usbParent(parent);
    const chip = usb ? (CHIPS[`${usb.vid}:${usb.pid}`] ?? null) : null;
    const kind = chip === 'MCP2221A' ? 'usb-adc' : usb ? 'serial' : 'uart';
    return [
      {
        device,
        by_id: links.get(name) ?? null,
        vid: usb ? usbId(usb.vid) : null,
        pid: usb ? usbId(usb.pid) : null,
        chip,
        kind,
      },
    ];
  });
}

function byId(dev: string): Map<string, string> {
  const base = join(dev, 'serial/by-id');
  const links = new Map<string, string>();
  for (const name of listNames(base)) {
    const target = realPath(join(base, name));
    if (target !== null) links.set(basename(target), join(base, name));
  }
  return links;
}
