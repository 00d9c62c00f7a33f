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

export interface TransportErrorDetails {
  cause?: unknown;
  /** Finer reason within a code, for example `timeout` or `status` of `http_failed`. */
  reason?: string;
  /** What happened, without address and remedy, of `http_failed`. */
  what?: string;
  /** HTTP status, when an answer with one came. */
  status?: number;
}

/** What went wrong between this process and a device's address; says nothing about the device itself. */
export class TransportError extends CodedError {
  override readonly code: TransportCode;
  /** As it was given in the configuration. */
  readonly address: string;
  readonly reason: string | undefined;
  readonly what: string | undefined;
  readonly status: number | undefined;

  constructor(code: TransportCode, address: string, message: string, details: TransportErrorDetails = {}) {
    super(code, message, { cause: details.cause });
    this.code = code;
    this.address = address;
    this.reason = details.reason;
    this.what = details.what;
    this.status = details.status;
  }
}
