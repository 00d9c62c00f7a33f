import { mcp2221aUsbDevice } from '../usbip/mcp2221a.ts';
import { ticUsbDevice } from '../usbip/tic.ts';
import { UsbipServer } from '../usbip/usbip-server.ts';
import type { BenchDevice } from './bench-device.ts';
import { lineClock } from './surroundings.ts';
import type { ticStation } from './tic.ts';
import type { usbhidStation } from './usbhid.ts';
import { UsbipExport } from './usbip-port.ts';

/** Where the USB devices are plugged in for USB/IP. */
const BUS_IDS = { usbhid: '1-1', tic: '1-2' } as const;

/** A second way to the USB devices: a Linux that imports them has them as real USB. */
export function usbipExports(options: {
  usbhid: ReturnType<typeof usbhidStation>;
  tic: ReturnType<typeof ticStation>;
  only: readonly BenchDevice[];
  port: number;
}): UsbipServer {
  const { usbhid, tic, only, port } = options;
  const devices = [
    { station: usbhid.station, busId: BUS_IDS.usbhid, usb: mcp2221aUsbDevice(usbhid.usbPort) },
    { station: tic.station, busId: BUS_IDS.tic, usb: ticUsbDevice(tic.twin, () => tic.twin.identity) },
  ].filter(({ station }) => only.includes(station.name));
  const server = new UsbipServer({ devices, port, clock: lineClock });
  for (const { station, busId } of devices)
    station.addPort(new UsbipExport({ name: `${station.name}-usbip`, server, busId }));
  return server;
}
