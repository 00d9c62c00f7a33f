import { byteAt, checkEcho, corrupt } from './answer.ts';
import { COMMAND, type Command, Request } from './request.ts';

/** States of the I2C engine, [8] of a status answer and [2] of a transfer's. */
export const I2C_STATE = {
  idle: 0x00,
  startTimeout: 0x12,
  repeatedStartTimeout: 0x17,
  addressing: 0x20,
  addressTimeout: 0x23,
  addressNacked: 0x25,
  writing: 0x41,
  writeTimeout: 0x44,
  writtenBusHeld: 0x45,
  reading: 0x50,
  readTimeout: 0x52,
  partialData: 0x54,
  dataComplete: 0x55,
  stopTimeout: 0x62,
} as const;

/** States that a bus held low, or a wedged engine, ends in. */
export const STUCK_STATES: ReadonlySet<number> = new Set([
  I2C_STATE.startTimeout,
  I2C_STATE.repeatedStartTimeout,
  I2C_STATE.addressTimeout,
  I2C_STATE.writeTimeout,
  I2C_STATE.readTimeout,
  I2C_STATE.stopTimeout,
]);

export const NOT_READY = 0x41;
/** Count of a fetch that failed. */
export const COUNT_ERROR = 127;
/** Data bytes in one report. */
export const CHUNK_BYTES = 60;
const LONGEST_TRANSFER = 0xffff;

/** @param address 7 bits @param length 1..65535: a read of nothing MUST NOT be used @throws RangeError outside */
export function readI2c(
  address: number,
  length: number,
  command: typeof COMMAND.readI2c | typeof COMMAND.readI2cRepeated = COMMAND.readI2c,
): Request {
  return new Request(command, [...lengthBytes(length), (addressOf(address) << 1) | 1]);
}

/** The reports of one write, at most 60 data bytes in each, the same header on all. @throws RangeError */
export function writeI2c(
  address: number,
  data: readonly number[],
  command:
    | typeof COMMAND.writeI2c
    | typeof COMMAND.writeI2cRepeated
    | typeof COMMAND.writeI2cNoStop = COMMAND.writeI2c,
): Request[] {
  const header = [...lengthBytes(data.length), addressOf(address) << 1];
  const chunks = Math.ceil(data.length / CHUNK_BYTES);
  return Array.from({ length: chunks }, (_, index) => {
    const chunk = data.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    return new Request(command, [...header, ...chunk]);
  });
}

/** Asks for the data of a read. */
export const fetchI2c = (): Request => new Request(COMMAND.fetchI2c);

export type TransferStart = { accepted: true } | { accepted: false; state: number };

/** @throws AnswerFault */
export function decodeTransferStart(report: Uint8Array, command: Command): TransferStart {
  checkEcho(report, command);
  return byteAt(report, 1) === 0 ? { accepted: true } : { accepted: false, state: byteAt(report, 2) };
}

export type Fetched =
  | { kind: 'data'; state: number; data: Uint8Array }
  | { kind: 'not_ready'; state: number }
  | { kind: 'failed'; state: number };

/** @throws AnswerFault, also for a count that a report cannot hold */
export function decodeFetch(report: Uint8Array): Fetched {
  checkEcho(report, COMMAND.fetchI2c);
  const [result, state, count] = [byteAt(report, 1), byteAt(report, 2), byteAt(report, 3)];
  if (result === NOT_READY) return { kind: 'not_ready', state };
  if (result !== 0 || count === COUNT_ERROR) return { kind: 'failed', state };
  if (count > CHUNK_BYTES)
    throw corrupt('structure', `a fetch of ${count} bytes, which a report cannot hold`);
  return { kind: 'data', state, data: report.slice(4, 4 + count) };
}

function lengthBytes(length: number): number[] {
  if (!Number.isInteger(length) || length < 1 || length > LONGEST_TRANSFER)
    throw new RangeError(`an I2C transfer of ${length} bytes is not 1 to ${LONGEST_TRANSFER} bytes`);
  return [length & 0xff, length >> 8];
}

function addressOf(address: number): number {
  if (!Number.isInteger(address) || address < 0 || address > 0x7f)
    throw new RangeError(`I2C address ${address} has not 7 bits`);
  return address;
}
