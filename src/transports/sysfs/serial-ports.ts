import { existsSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listNames, realPath } from './sysfs.ts';
import { usbId } from './usb-devices.ts';
import { usbParent } from './usb-parent.ts';

export interface SerialPortEntry {
  device: string;
  /** Stable link, preferred over the device's number; null when udev made none, or one for several adapters. */
  by_id: string | null;
  /** Stable link by bus and port: the address of an adapter that has no by-id link of its own. */
  by_path: string | null;
  /** The by-id link that this adapter shares with another one: it leads to one of them, and to either after a plug. */
  shared_by_id: string | null;
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

/** Vendors of serial adapters that the udev rules of the rig cover. */
export const ADAPTER_VENDORS: readonly string[] = ['0x1A86', '0x0403', '0x10C4', '0x067B'];

/** Serial ports with a device behind them, from sysfs; no port is opened. */
export function listSerialPorts(sys = '/sys', dev = '/dev'): SerialPortEntry[] {
  const [byId, byPath] = [linksIn(join(dev, 'serial/by-id')), linksIn(join(dev, 'serial/by-path'))];
  const base = join(sys, 'class/tty');
  const ports = listNames(base).flatMap((name): SerialPortEntry[] => {
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
        by_id: byId.get(name) ?? null,
        by_path: byPath.get(name) ?? null,
        shared_by_id: null,
        vid: usb ? usbId(usb.vid) : null,
        pid: usb ? usbId(usb.pid) : null,
        chip,
        kind,
      },
    ];
  });
  return withSharedNames(ports);
}

/**
 * udev makes one by-id link of model, serial number and interface. An adapter without one beside another of the same
 * kind that has one is a second bearer of that name. (The serial numbers are not read: that could block.)
 */
function withSharedNames(ports: readonly SerialPortEntry[]): SerialPortEntry[] {
  return ports.map((port) => {
    const twins = ports.filter((one) => one.vid !== null && one.vid === port.vid && one.pid === port.pid);
    const names = twins.flatMap(({ by_id }) => by_id ?? []);
    const [first] = names;
    // Which of several names the nameless one bears is not known: none of them is a stable one.
    if (first === undefined || names.length === twins.length) return port;
    return { ...port, by_id: null, shared_by_id: port.by_id ?? first };
  });
}

/** By the name of the node that each link leads to. A link that leads nowhere is left out. */
function linksIn(folder: string): Map<string, string> {
  const links = new Map<string, string>();
  for (const name of listNames(folder)) {
    const link = join(folder, name);
    if (existsSync(link)) links.set(basename(readlinkSync(link)), link);
  }
  return links;
}
