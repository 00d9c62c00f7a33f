import type { TransportError } from '../transport-error.ts';

/** A vendor request on endpoint 0. All fields as in the USB setup packet. */
export interface ControlRequest {
  /** bRequest, 0..255 */
  request: number;
  /** wValue, 0..65535 */
  value: number;
  /** wIndex, 0..65535 */
  index: number;
}

export interface UsbIdentity {
  vendorId: number;
  productId: number;
  /** Serial string descriptor; null when the device has none. */
  serial: string | null;
  /** Release of the device, BCD: 0x0106 is 1.06. */
  bcdDevice: number;
  /** Kernel name such as `1-1.3`, or the socket of a twin. */
  path: string;
}

/** Vendor control transfers (bmRequestType 40 and C0, recipient device) to one USB device. */
export interface UsbControl {
  /** As configured; names the place in errors. */
  readonly address: string;
  /** Undefined while closed. */
  readonly identity: UsbIdentity | undefined;
  /** @throws TransportError `port_absent`, `port_busy`, `port_permission`, `driver_missing`, `port_failed` */
  open(): Promise<void>;
  /** Closes without telling `onClosed`; closing a closed one is no error. */
  close(): Promise<void>;
  /** bmRequestType 40, no data stage. @throws TransportError `usb_stall`, `usb_timeout`, `port_gone`, `port_closed` */
  controlOut(request: ControlRequest): Promise<void>;
  /** bmRequestType C0. @returns at most `length` bytes. @throws as `controlOut` */
  controlIn(request: ControlRequest, length: number): Promise<Uint8Array>;
  /** The device went away on its own. */
  onClosed(listener: (cause: TransportError) => void): () => void;
}
