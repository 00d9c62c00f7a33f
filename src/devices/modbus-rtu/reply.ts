import { hasValidCrc } from './crc.ts';
import { encodeBody, isRead, type ModbusRequest } from './request.ts';

export type CorruptReason =
  | 'unit'
  | 'function'
  | 'length'
  | 'crc'
  | 'echo'
  | 'extra_bytes'
  | 'short'
  | 'early';

export type ReplyCheck =
  | { state: 'incomplete' }
  /** `data` is what follows the byte count of a read; empty for a write, whose echo was compared. */
  | { state: 'reply'; data: Uint8Array }
  | { state: 'exception'; exception: number }
  | { state: 'corrupt'; reason: CorruptReason };

const EXCEPTION_BODY_BYTES = 2;
/** Unit id and CRC. */
const RTU_EXTRA_BYTES = 3;

/** Bytes of the reply from its function code on, CRC not included, when the device does as asked. */
export function expectedBodyLength(request: ModbusRequest): number {
  switch (request.function) {
    case 0x01:
    case 0x02:
      return 2 + Math.ceil(request.count / 8);
    case 0x03:
    case 0x04:
      return 2 + 2 * request.count;
    default:
      return 5;
  }
}

/** Bytes of the reply on an RTU line, unit id and CRC included. */
export function expectedLength(request: ModbusRequest): number {
  return expectedBodyLength(request) + RTU_EXTRA_BYTES;
}

/** Whether the reply to `earlier` has the shape of one to `later`: without a sequence number nothing else distinguishes them. */
export function isIndistinguishableFrom(earlier: ModbusRequest, later: ModbusRequest): boolean {
  if (earlier.unit !== later.unit || earlier.function !== later.function) return false;
  if (expectedBodyLength(earlier) !== expectedBodyLength(later)) return false;
  // Of a write the first five bytes come back.
  return isRead(later) || encodeBody(earlier).slice(0, 5).join() === encodeBody(later).slice(0, 5).join();
}

/**
 * Judges what has been received so far against the request. Only a frame of exactly the expected length, with the
 * right CRC and every echo equal, is a reply; a byte too many is as wrong as a byte too few.
 */
export function checkReply(request: ModbusRequest, received: Uint8Array): ReplyCheck {
  const [unit, functionCode] = received;
  if (unit !== undefined && unit !== request.unit) return { state: 'corrupt', reason: 'unit' };
  if (functionCode === undefined) return { state: 'incomplete' };

  const isException = functionCode === (request.function | 0x80);
  if (!isException && functionCode !== request.function) return { state: 'corrupt', reason: 'function' };

  const expected = (isException ? EXCEPTION_BODY_BYTES : expectedBodyLength(request)) + RTU_EXTRA_BYTES;
  if (received.length < expected) return { state: 'incomplete' };
  if (!hasValidCrc(received.subarray(0, expected))) return { state: 'corrupt', reason: 'crc' };
  if (received.length > expected) return { state: 'corrupt', reason: 'extra_bytes' };
  return checkBody(request, received.subarray(1, -2));
}

/** Whether the last bytes are a whole reply to the request, an exception included, whatever came before them. */
export function endsWithReply(request: ModbusRequest, received: Uint8Array): boolean {
  return [expectedLength(request), EXCEPTION_BODY_BYTES + RTU_EXTRA_BYTES].some((length) => {
    if (received.length < length) return false;
    const { state } = checkReply(request, received.subarray(-length));
    return state === 'reply' || state === 'exception';
  });
}

/** @param body a whole reply from its function code on, without CRC, whatever carried it */
export function checkBody(request: ModbusRequest, body: Uint8Array): ReplyCheck {
  const [functionCode, second = 0] = body;
  if (functionCode === (request.function | 0x80)) {
    if (body.length !== EXCEPTION_BODY_BYTES) return { state: 'corrupt', reason: 'length' };
    return { state: 'exception', exception: second };
  }
  if (functionCode !== request.function) return { state: 'corrupt', reason: 'function' };
  if (body.length !== expectedBodyLength(request)) return { state: 'corrupt', reason: 'length' };

  if (isRead(request)) {
    if (second !== body.length - 2) return { state: 'corrupt', reason: 'length' };
    return { state: 'reply', data: body.slice(2) };
  }
  // A write answers with the first five bytes of the request: function, address, and value or count.
  const sent = encodeBody(request);
  for (let index = 0; index < body.length; index++) {
    if (body[index] !== sent[index]) return { state: 'corrupt', reason: 'echo' };
  }
  return { state: 'reply', data: new Uint8Array() };
}
