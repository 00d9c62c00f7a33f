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
