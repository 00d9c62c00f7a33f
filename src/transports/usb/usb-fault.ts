import { TransportError } from '../transport-error.ts';

/** Time limit of one control transfer. */
export const CONTROL_TIMEOUT_MS = 1600;

/** bmRequestType of a vendor request to the device. */
export const DIRECTION_OUT = 0x40;
export const DIRECTION_IN = 0xc0;

/** A request as data sheets print it: `request A1`. */
export function requestName(request: number): string {
  return `request ${request.toString(16).padStart(2, '0').toUpperCase()}`;
}

export function stalled(address: string, request: number, cause?: unknown): TransportError {
  const message = `${address} refused ${requestName(request)} (STALL); check that it is the device the address names, and its firmware`;
  return new TransportError('usb_stall', address, message, { cause });
}

export function timedOut(address: string, what: string, timeoutMs: number, cause?: unknown): TransportError {
  const message = `${address} gave no answer to ${what} within ${timeoutMs} ms; check cable, hub and supply`;
  return new TransportError('usb_timeout', address, message, { cause });
}
