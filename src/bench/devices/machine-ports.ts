import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ByteSocket } from '../pty/byte-socket.ts';
import { UsbredirSocket } from '../usbredir/usbredir-socket.ts';
import { lineClock } from './bench-context.ts';
import { SocketPort } from './socket-port.ts';
import type { TwinDevice } from './twin-device.ts';

/**
 * A second way to the devices, for a machine in QEMU: `<folder>/<device>.sock` speaks usb-redir for a USB device, and is the
 * plain line of a device on a UART.
 */
export function connectToMachine(devices: readonly TwinDevice[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const device of devices) {
    const { usb, uart } = device.built;
    const path = join(folder, `${device.name}.sock`);
    if (usb) {
      const socket = new UsbredirSocket({ path, device: usb.usb, clock: lineClock });
      device.addPort(`${device.name}-usbredir`, new SocketPort(socket, () => path));
    } else if (uart) {
      const socket = new ByteSocket({ path, line: uart });
      device.addPort(`${device.name}-socket`, new SocketPort(socket, () => path));
    }
  }
}
