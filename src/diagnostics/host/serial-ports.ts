import { listSerialPorts, type SerialPortEntry } from '../../transports/sysfs/serial-ports.ts';
import { driverOf, realPath } from '../../transports/sysfs/sysfs.ts';
import { usbParent } from '../../transports/sysfs/usb-parent.ts';
import { usbStrings } from '../../transports/sysfs/usb-strings.ts';
import type { HostRoot } from './host-root.ts';

/** A serial port of the host; paths are the host's own names. */
export interface HostPort extends SerialPortEntry {
  product: string | null;
  serial: string | null;
  /** For example `cdc_acm`; null where no driver is bound. */
  kernel_driver: string | null;
  /** Why the port is never opened by a probe; null for one that may be. */
  reserved: string | null;
  /** Folder of its USB device in sysfs; null for an on-board port. */
  usb: string | null;
}

/** Devices of the rig that are not Modbus, and the ports they are on. */
export interface ReservedPorts {
  /** UARTADC_SERIAL_PORT. */
  uartModule: string;
  /** Port of the pump where this rig says it. */
  pump: string | undefined;
  /** Of the other plugins and lines in svc.yaml, also of disabled ones. */
  others: readonly { path: string; owner: string }[];
}

/** Serial ports with USB strings, driver and reservation. No port is opened. */
export async function hostPorts(host: HostRoot, reserved: ReservedPorts): Promise<HostPort[]> {
  const entries = listSerialPorts(host.path('/sys'), host.path('/dev'));
  const consoles = consolePorts(host);
  return Promise.all(
    entries.map(async (entry): Promise<HostPort> => {
      const device = host.nameOf(entry.device);
      const node = realPath(host.path('/sys/class/tty'), device.replace(/^.*\//, ''), 'device');
      const folder = node === null ? undefined : usbParent(node)?.folder;
      const strings = folder === undefined ? undefined : await usbStrings(folder);
      const nameOf = (path: string | null) => path && host.nameOf(path);
      return {
        ...entry,
        device,
        by_id: nameOf(entry.by_id),
        by_path: nameOf(entry.by_path),
        shared_by_id: nameOf(entry.shared_by_id),
        product: strings?.product ?? null,
        serial: strings?.serial ?? null,
        kernel_driver: node === null ? null : driverOf(node),
        usb: folder === undefined ? null : host.nameOf(folder),
        reserved: reservation(host, entry.kind, device, reserved, consoles),
      };
    }),
  );
}

/** A link and the device that it leads to are the same port. */
export const isSamePort = (host: HostRoot, one: string, other: string): boolean =>
  one === other || (host.real(one) ?? one) === (host.real(other) ?? other);

function reservation(
  host: HostRoot,
  kind: SerialPortEntry['kind'],
  device: string,
  { uartModule, pump, others }: ReservedPorts,
  consoles: ReadonlyMap<string, string>,
): string | null {
  const isAt = (path: string | undefined) => path !== undefined && isSamePort(host, path, device);
  if (kind === 'usb-adc') return 'CDC port of the USB ADC chip';
  if (isAt(uartModule)) return 'port of the UART ADC module (UARTADC_SERIAL_PORT)';
  if (isAt(pump)) return 'port of the pump';
  const other = others.find(({ path }) => isAt(path));
  if (other) return `port of ${other.owner} in svc.yaml`;
  const why = consoles.get(device);
  if (why !== undefined) return why;
  return kind === 'uart' ? 'on-board UART' : null;
}

/** Ports that the kernel or a login uses, with the reason: `/proc/consoles`, `/proc/cmdline`, a running getty. */
export function consolePorts(host: HostRoot): Map<string, string> {
  const ports = new Map<string, string>();
  const add = (name: string | undefined, why: string) => {
    if (name === undefined || !/^tty[A-Z]/.test(name)) return;
    const real = host.real(`/dev/${name}`) ?? `/dev/${name}`;
    if (!ports.has(real)) ports.set(real, why);
  };
  for (const line of (host.read('/proc/consoles') ?? '').split('\n'))
    add(line.split(/\s/)[0], 'kernel console (/proc/consoles)');
  for (const [, name] of (host.read('/proc/cmdline') ?? '').matchAll(/\bconsole=([A-Za-z0-9]+)/g))
    add(name === 'serial0' ? realName(host) : name, 'kernel console (console= in /proc/cmdline)');
  for (const pid of (host.list('/proc') ?? []).filter((name) => /^\d+$/.test(name))) {
    const command = host.read(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
    if (!/(^|\/)a?getty$/.test(command[0] ?? '')) continue;
    for (const word of command) add(/^(?:\/dev\/)?(tty\w+)$/.exec(word)?.[1], `getty (pid ${pid})`);
  }
  return ports;
}

const realName = (host: HostRoot): string | undefined => host.real('/dev/serial0')?.replace('/dev/', '');
