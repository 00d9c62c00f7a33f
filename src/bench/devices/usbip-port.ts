import { UsbipServer } from '../usbip/usbip-server.ts';
import { lineClock } from './bench-context.ts';
import type { Port, PortState } from './port.ts';
import type { TwinDevice } from './twin-device.ts';

/** A device as USB/IP exports it: the same twin, for a Linux that has it as real USB. */
class UsbipExport implements Port {
  readonly #server: UsbipServer;
  readonly #busId: string;
  #isPlugged = false;

  constructor(server: UsbipServer, busId: string) {
    this.#server = server;
    this.#busId = busId;
    this.#server.unplug(this.#busId);
  }

  get address(): string {
    return `usbip:${this.#busId}`;
  }

  get path(): string | null {
    return this.#isPlugged ? this.#busId : null;
  }

  get clients(): number {
    return this.#server.isImported(this.#busId) ? 1 : 0;
  }

  async become({ plugged }: PortState): Promise<void> {
    if (plugged === this.#isPlugged) return;
    if (plugged) this.#server.plug(this.#busId);
    else this.#server.unplug(this.#busId);
    this.#isPlugged = plugged;
  }
}

/** A second way to the USB devices among `devices`: a Linux that imports them has them as real USB. */
export function exportOverUsbip(devices: readonly TwinDevice[], port: number): UsbipServer {
  const exported = devices.flatMap((device) => (device.built.usb ? [{ device, usb: device.built.usb }] : []));
  const server = new UsbipServer({ devices: exported.map(({ usb }) => usb), port, clock: lineClock });
  for (const { device, usb } of exported)
    device.addPort(`${device.name}-usbip`, new UsbipExport(server, usb.busId));
  return server;
}
