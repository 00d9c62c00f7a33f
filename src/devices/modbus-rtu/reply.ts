import { isSealed } from './crc.ts';
import { encodeRequest, type RtuRequest } from './request.ts';

export type CorruptReason = 'unit' | 'function' | 'length' | 'crc' | 'echo' | 'extra_bytes' | 'short';

export type ReplyCheck =
  | { state: 'incomplete' }
  /** `data` is what follows the byte count of a read; empty for a write, whose echo was compared. */
  | { state: 'reply'; data: Uint8Array }
  | { state: 'exception'; exception: number }
  | { state: 'corrupt'; reason: CorruptReason };

const EXCEPTION_BYTES = 5;

/** Bytes of the reply, CRC included, when the device does as asked. */
export function expectedLength(request: RtuRequest): number {
  switch (request.function) {
    case 0x01:
    case 0x02:
      return 5 + Math.ceil(request.count / 8);
    case 0x03:
      return 5 + 2 * request.count;
    default:
      return 8;
  }
}

/**
 * Judges what has been received so far against the request. Only a frame of exactly the expected length, with the
 * right CRC and every echo equal, is a reply; a byte too many is as wrong as a byte too few.
 */
export function checkReply(request: RtuRequest, received: Uint8Array): ReplyCheck {
  const [unit, functionCode] = received;
  if (unit !== undefined && unit !== request.unit) return { state: 'corrupt', reason: 'unit' };
  if (functionCode === undefined) return { state: 'incomplete' };

  const isException = functionCode === (request.function | 0x80);
  if (!isException && functionCode !== request.function) return { state: 'corrupt', reason: 'function' };

  const expected = isException ? EXCEPTION_BYTES : expectedLength(request);
  if (received.length < expected) return { state: 'incomplete' };
  if (!isSealed(received.subarray(0, expected))) return { state: 'corrupt', reason: 'crc' };
  if (received.length > expected) return { state: 'corrupt', reason: 'extra_bytes' };
  if (isException) return { state: 'exception', exception: received[2] ?? 0 };

  if (request.function === 0x01 || request.function === 0x02 || request.function === 0x03) {
    if (received[2] !== expected - 5) return { state: 'corrupt', reason: 'length' };
    return { state: 'reply', data: received.slice(3, expected - 2) };
  }
  // A write answers with the first six bytes of the request: unit, function, address, and value or count.
  const sent = encodeRequest(request);
  for (let index = 0; index < 6; index++) {
    if (received[index] !== sent[index]) return { state: 'corrupt', reason: 'echo' };
  }
  return { state: 'reply', data: new Uint8Array() };
}
