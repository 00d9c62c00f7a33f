import { REPORT_BYTES } from '../../../transports/hid/hid-transport.ts';
import { InEndpoint } from './in-endpoint.ts';
import type { OutEndpoint, UsbFunction } from './usb-device.ts';

/** One HID twin, as the bench hands it to each of its users: every one sees all IN reports. */
export interface HidPort {
  /** Every IN report. The returned function ends it. */
  onReport(listener: (report: Uint8Array) => void): () => void;
  /** @param report the 64 bytes of an OUT report */
  receive(report: Uint8Array): void;
}

/** HID 1.11, section 7.2. */
const Request = { getIdle: 0x02, setIdle: 0x0a } as const;
const DONE = new Uint8Array();

/**
 * A HID interface with one report of 64 bytes in each direction, without report ids. Reports go over the interrupt
 * endpoints only; reading or writing them on endpoint 0 is a STALL, since nothing is known of what the chip does then.
 */
export function hidFunction(options: {
  interface: number;
  in: number;
  out: number;
  port: HidPort;
}): UsbFunction {
  const input = new InEndpoint();
  let idle = 0;
  return {
    control: ({ type, recipient, index, request, value }) => {
      if (type !== 'class' || recipient !== 'interface' || index !== options.interface) return undefined;
      if (request === Request.getIdle) return Uint8Array.of(idle);
      if (request !== Request.setIdle) return undefined;
      idle = value >> 8;
      return DONE;
    },
    endpoints: new Map<number, InEndpoint | OutEndpoint>([
      [options.in, input],
      [options.out, { receive: (bytes) => eachReport(bytes, (report) => options.port.receive(report)) }],
    ]),
    detach: options.port.onReport((report) => input.offer(report)),
  };
}

/**
 * A transfer of several packets is several reports. A packet may end early: the kernel's hid_mcp2221 leaves off the
 * bytes that a command does not use.
 */
function eachReport(bytes: Uint8Array, deliver: (report: Uint8Array) => void): void {
  for (let at = 0; at < bytes.length; at += REPORT_BYTES) {
    const report = new Uint8Array(REPORT_BYTES);
    report.set(bytes.subarray(at, at + REPORT_BYTES));
    deliver(report);
  }
}
