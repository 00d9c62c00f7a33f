import type { TransportError } from '../transport-error.ts';

/** Bytes of one report of a device without report ids, in either direction. */
export const REPORT_BYTES = 64;

/** How a HID interface is reached on this machine; `memory` is inside this process. */
export type HidBackend = 'hidraw' | 'libusb' | 'bench' | 'memory';

export interface HidEndpoint {
  backend: HidBackend;
  /** What was opened: `/dev/hidraw0`, a USB path such as `1-1.2:1.2`, or the socket of a twin. */
  path: string;
  /** Kernel driver that owned the interface when it was looked for; null when none did or it is unknown. */
  kernelDriver: string | null;
}

/** One HID interface: whole reports in and out. Knows nothing of commands. */
export interface HidTransport {
  /** As configured; names the place in errors. */
  readonly address: string;
  /** Undefined while closed. */
  readonly endpoint: HidEndpoint | undefined;
  /** @throws TransportError `port_absent`, `port_busy`, `port_permission`, `driver_missing`, `port_failed` */
  open(): Promise<void>;
  /**
   * Opens another device of the same kind in the place of the open one. Left out where the address leads to one only.
   *
   * @param tried paths of endpoints that are not wanted
   * @returns false when there is no other; the open one stays open then
   * @throws TransportError as `open`
   */
  openOther?(tried: ReadonlySet<string>): Promise<boolean>;
  /** Closes without telling `onClosed`; closing a closed one is no error. No pending read is left behind. */
  close(): Promise<void>;
  /**
   * Sends one OUT report.
   *
   * @param report report id 0, then 64 bytes: 65 bytes as hidraw takes them
   * @throws TransportError `port_closed`, `port_gone`; RangeError when the length is another
   */
  write(report: Uint8Array): Promise<void>;
  /** Every IN report in order, as long as it came: 64 bytes from a sound device. The returned function ends it. */
  onReport(listener: (report: Uint8Array) => void): () => void;
  /** The device went away on its own: unplugged, reset, other side gone. */
  onClosed(listener: (cause: TransportError) => void): () => void;
}

/** @throws RangeError when it is not report id 0 and 64 bytes */
export function checkedOutReport(report: Uint8Array): Uint8Array {
  if (report.length === REPORT_BYTES + 1 && report[0] === 0) return report;
  throw new RangeError(
    `an OUT report has ${REPORT_BYTES + 1} bytes and begins with 0, not ${report.length} beginning with ${report[0]}`,
  );
}
