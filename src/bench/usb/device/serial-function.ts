import type { LineSettings } from '../../../devices/line-settings.ts';
import type { SerialTwin } from '../../../devices/twin.ts';
import { InEndpoint } from './in-endpoint.ts';
import type { SetupPacket } from './setup-packet.ts';
import type { OutEndpoint, UsbFunction } from './usb-device.ts';

/** CDC PSTN 1.2, section 6.3. */
const Request = { setLineCoding: 0x20, getLineCoding: 0x21, setControlLineState: 0x22 } as const;
/** 115200 bit/s, 1 stop bit, no parity, 8 data bits. */
const DEFAULT_LINE_CODING = Uint8Array.from([0x00, 0xc2, 0x01, 0x00, 0x00, 0x00, 0x08]);
/** bParityType of a line coding. */
const PARITIES = ['none', 'odd', 'even'] as const;
const PACKET_BYTES = 64;
/** What a host does not fetch is kept up to this size, as in an adapter's buffer. */
const MAX_PACKETS = 64;
const DONE = new Uint8Array();

/**
 * A serial port (CDC-ACM). Without a line nothing is wired to it: it takes every byte and never has one.
 *
 * @param options endpoint addresses, the number of the control interface, and what is wired to the port
 */
export function serialFunction(options: {
  control: number;
  notification: number;
  dataIn: number;
  dataOut: number;
  line?: SerialTwin;
}): UsbFunction {
  const { line } = options;
  const input = new InEndpoint(MAX_PACKETS);
  let lineCoding = DEFAULT_LINE_CODING;
  line?.connect((bytes) => {
    for (let at = 0; at < bytes.length; at += PACKET_BYTES)
      input.offer(bytes.subarray(at, at + PACKET_BYTES));
  });
  return {
    control: (setup, data) => {
      if (!isFor(setup, options.control)) return undefined;
      switch (setup.request) {
        case Request.setLineCoding:
          if (data.length !== DEFAULT_LINE_CODING.length) return undefined;
          lineCoding = Uint8Array.from(data);
          return DONE;
        case Request.getLineCoding:
          return lineCoding;
        case Request.setControlLineState:
          return DONE;
        default:
          return undefined;
      }
    },
    endpoints: new Map<number, InEndpoint | OutEndpoint>([
      [options.notification, new InEndpoint()],
      [options.dataIn, input],
      [
        options.dataOut,
        {
          receive: (bytes) => {
            line?.setLine?.(settingsOf(lineCoding));
            line?.receive(bytes);
          },
        },
      ],
    ]),
    detach: () => line?.connect(() => {}),
  };
}

/** Mark and space parity are none that a device of the rig has: it takes the rate alone. */
function settingsOf(lineCoding: Uint8Array): Partial<LineSettings> {
  const view = Buffer.from(lineCoding);
  const parity = PARITIES[view.readUInt8(5)];
  return { baud: view.readUInt32LE(0), ...(parity === undefined ? {} : { parity }) };
}

const isFor = ({ type, recipient, index }: SetupPacket, interfaceNumber: number): boolean =>
  type === 'class' && recipient === 'interface' && index === interfaceNumber;
