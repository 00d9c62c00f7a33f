import { findHid } from '../../transports/sysfs/find-hid.ts';
import { listNames, readAttribute, realPath } from '../../transports/sysfs/sysfs.ts';
import { usbId } from '../../transports/sysfs/usb-devices.ts';
import { usbStrings } from '../../transports/sysfs/usb-strings.ts';
import type { HostRoot } from './host-root.ts';
import type { HostPort } from './serial-ports.ts';

/** A device as `detect` and `list` show it. */
export interface UsbListing {
  /** Its serial port, else the file below `/dev/bus/usb`. */
  device: string;
  /** Null for a port that is not on USB. */
  vid: string | null;
  pid: string | null;
  manufacturer: string | null;
  product: string | null;
  serial: string | null;
  by_id: string | null;
  kernel_driver: string | null;
  reserved: string | null;
}

const HUB_CLASS = '09';
const MCP2221A = { vid: '04d8', pid: '00dd' };

/** Every serial port, and every USB device that is neither a hub nor behind one of those ports. Nothing is opened. */
export async function usbListing(host: HostRoot, ports: readonly HostPort[]): Promise<UsbListing[]> {
  const serial = await Promise.all(
    ports.map(
      async ({
        device,
        vid,
        pid,
        product,
        serial,
        by_id,
        kernel_driver,
        reserved,
        usb,
      }): Promise<UsbListing> => {
        const manufacturer = usb === null ? null : (await usbStrings(host.path(usb))).manufacturer;
        return { device, vid, pid, manufacturer, product, serial, by_id, kernel_driver, reserved };
      },
    ),
  );
  const sys = host.path('/sys');
  const base = `${sys}/bus/usb/devices`;
  const drivers = new Map(
    findHid(Number.parseInt(MCP2221A.vid, 16), Number.parseInt(MCP2221A.pid, 16), {
      sys,
      dev: host.path('/dev'),
    }).map(({ usb, kernelDriver }) => [usb.directory, kernelDriver]),
  );
  const others = listNames(base).map(async (name): Promise<UsbListing | undefined> => {
    const folder = realPath(base, name);
    if (folder === null || !/^\d+-[\d.]+$/.test(name)) return undefined;
    const [vid, pid] = [readAttribute(folder, 'idVendor'), readAttribute(folder, 'idProduct')];
    if (vid === null || pid === null || readAttribute(folder, 'bDeviceClass') === HUB_CLASS) return undefined;
    // The USB ADC chip is a HID device beside its port.
    const isAdc = vid === MCP2221A.vid && pid === MCP2221A.pid;
    if (!isAdc && ports.some(({ usb }) => usb !== null && host.path(usb) === folder)) return undefined;
    const number = (attribute: string) => (readAttribute(folder, attribute) ?? '').padStart(3, '0');
    return {
      device: `/dev/bus/usb/${number('busnum')}/${number('devnum')}`,
      vid: usbId(vid),
      pid: usbId(pid),
      ...(await usbStrings(folder)),
      by_id: null,
      kernel_driver: drivers.get(folder) ?? null,
      reserved: null,
    };
  });
  return [...serial, ...(await Promise.all(others)).filter((one) => one !== undefined)];
}
