import { CodedError } from '../lib/errors/coded-error.ts';

export type TransportCode =
  | 'address_invalid'
  | 'port_absent'
  | 'port_busy'
  | 'port_permission'
  | 'port_gone'
  | 'port_closed'
  | 'port_failed'
  | 'i2c_nack'
  | 'i2c_timeout'
  /** The device refused a control request. */
  | 'usb_stall'
  | 'usb_timeout'
  /** A port that is never to be opened: the tty of the USB ADC chip. */
  | 'port_forbidden'
  /** No HTTP answer that can be used: connection, time limit, size, redirect, status or form. */
  | 'http_failed'
  | 'driver_missing';

/** What went wrong between this process and a device's address; says nothing about the device itself. */
export class TransportError extends CodedError {
  override readonly code: TransportCode;
  /** As it was given in the configuration. */
  readonly address: string;

  constructor(code: TransportCode, address: string, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
    this.code = code;
    this.address = address;
  }
}
