import { hexOf } from '../../../transports/hex.ts';
import { REPORT_BYTES } from '../../../transports/hid/hid-transport.ts';
import type { Command } from './request.ts';

/** Why an answer cannot be used; the driver turns it into a DeviceError that names the device. */
export class AnswerFault extends Error {
  readonly code: 'corrupt_response' | 'device_error' | 'wrong_device';
  /** `length`, `echo`, `result`, `word`, `revision`, `structure`, `ids`. */
  readonly reason: string;

  constructor(code: AnswerFault['code'], reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** An answer whose bytes the chip cannot have meant. */
export function corrupt(reason: string, message: string): AnswerFault {
  return new AnswerFault('corrupt_response', reason, message);
}

/** @throws AnswerFault when `report` has not 64 bytes or does not begin with `command` */
export function checkEcho(report: Uint8Array, command: Command): void {
  if (report.length !== REPORT_BYTES) {
    const message = `an answer of ${report.length} bytes where ${REPORT_BYTES} were expected: ${hexOf(report)}`;
    throw corrupt('length', message);
  }
  if (report[0] !== command)
    throw corrupt('echo', `an answer to ${hex(byteAt(report, 0))} where one to ${hex(command)} was expected`);
}

/** Length, echo, and the result byte [1] = 0. @throws AnswerFault */
export function checkAnswer(report: Uint8Array, command: Command): void {
  checkEcho(report, command);
  const result = byteAt(report, 1);
  if (result !== 0)
    throw new AnswerFault(
      'device_error',
      'result',
      `command ${hex(command)} ended with result ${hex(result)}`,
    );
}

/** @throws AnswerFault where the report ends before `index` */
export function byteAt(report: Uint8Array, index: number): number {
  const byte = report[index];
  if (byte === undefined) throw corrupt('length', `the answer ends before byte ${index}`);
  return byte;
}

/** Little-endian. */
export function wordAt(report: Uint8Array, index: number): number {
  return byteAt(report, index) | (byteAt(report, index + 1) << 8);
}

/** One byte as data sheets print it. */
export const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();
