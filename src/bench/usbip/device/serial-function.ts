import { InEndpoint } from './in-endpoint.ts';
import type { SetupPacket } from './setup-packet.ts';
import type { OutEndpoint, UsbFunction } from './usb-device.ts';

/** CDC PSTN 1.2, section 6.3. */
const Request = { setLineCoding: 0x20, getLineCoding: 0x21, setControlLineState: 0x22 } as const;
/** 115200 bit/s, 1 stop bit, no parity, 8 data bits. */
const DEFAULT_LINE_CODING = Uint8Array.from([0x00, 0xc2, 0x01, 0x00, 0x00, 0x00, 0x08]);
const DONE = new Uint8Array();

/**
 * A serial port (CDC-ACM) with nothing wired to it: it keeps its line coding, takes every byte and never has one.
 *
 * @param options endpoint addresses, and the number of the control interface
 */
export function unwiredSerialFunction(options: {
  control: number;
  notification: number;
  dataIn: number;
  dataOut: number;
}): UsbFunction {
  let lineCoding = DEFAULT_LINE_CODING;
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
      [options.dataIn, new InEndpoint()],
      [options.dataOut, { receive: () => {} }],
    ]),
    detach: () => {},
  };
}

const isFor = ({ type, recipient, index }: SetupPacket, interfaceNumber: number): boolean =>
  type === 'class' && recipient === 'interface' && index === interfaceNumber;
