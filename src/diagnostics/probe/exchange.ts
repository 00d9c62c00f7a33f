import { hasValidCrc } from '../../devices/modbus-rtu/crc.ts';
import { checkReply } from '../../devices/modbus-rtu/reply.ts';
import { encodeRequest, type ModbusRequest } from '../../devices/modbus-rtu/request.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { findFrames } from './frames.ts';

/**
 * What came back for one request. `echo`: the request itself and nothing else; `foreign_traffic`: a whole frame of somebody else;
 * `garbage`: bytes that are no frame.
 */
export type ExchangeKind = 'answer' | 'exception' | 'echo' | 'foreign_traffic' | 'garbage' | 'silence';

export interface Exchange {
  kind: ExchangeKind;
  /** As received, an echo included. */
  bytes: Uint8Array;
  /** Payload of an answer, after its byte count. */
  data?: Uint8Array;
  /** Code of an exception. */
  exception?: number;
  /** Bytes had a good length and a wrong CRC, or were addressed wrongly. */
  reason?: string;
  /** From the request to the end of the reply, or to the time-out. */
  ms: number;
}

/** Longest pause between two requests on a line, ms: 3.5 characters at 4800 baud. */
const GAP_MS = 9;

/**
 * Sends one read and waits for its reply.
 * @throws TransportError `port_gone`
 */
export async function exchange(
  transport: ByteTransport,
  request: ModbusRequest,
  { timeoutMs, clock }: { timeoutMs: number; clock: Clock },
): Promise<Exchange> {
  await clock.sleep(GAP_MS);
  await transport.flushInput();
  const frame = encodeRequest(request);
  const received: number[] = [];
  const startedAt = clock.monotonic();
  let settle = () => {};
  let fail = (_cause: unknown) => {};
  const finished = new Promise<void>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  const ends = [
    transport.onBytes((chunk) => {
      received.push(...chunk);
      if (replyIn(request, frame, Uint8Array.from(received))) settle();
    }),
    transport.onClosed((cause) => fail(cause)),
    clock.after(timeoutMs, () => settle()),
  ];
  try {
    await transport.write(frame);
    await finished;
  } finally {
    for (const end of ends) end();
  }
  const ms = clock.monotonic() - startedAt;
  const bytes = Uint8Array.from(received);
  const reply = replyIn(request, frame, bytes);
  if (reply) return { ...reply, bytes, ms };
  return { ...unusable(request, frame, bytes), bytes, ms };
}

/** A whole reply, wherever it begins: an echo or the 00 bytes of a switching driver may come before it. */
function replyIn(
  request: ModbusRequest,
  frame: Uint8Array,
  bytes: Uint8Array,
): (Pick<Exchange, 'data' | 'exception'> & { kind: 'answer' | 'exception' }) | undefined {
  const from = startsWith(bytes, frame) ? frame.length : 0;
  for (let at = from; at + 5 <= bytes.length; at++) {
    const check = checkReply(request, bytes.subarray(at));
    if (check.state === 'reply') return { kind: 'answer', data: check.data };
    if (check.state === 'exception') return { kind: 'exception', exception: check.exception };
  }
  return undefined;
}

function unusable(
  request: ModbusRequest,
  frame: Uint8Array,
  bytes: Uint8Array,
): { kind: ExchangeKind; reason?: string } {
  if (bytes.length === 0) return { kind: 'silence' };
  const rest = startsWith(bytes, frame) ? bytes.subarray(frame.length) : bytes;
  if (rest.length === 0) return { kind: 'echo' };
  if (hasValidCrc(rest) || findFrames(rest).length > 0)
    return { kind: 'foreign_traffic', reason: 'bad_reply' };
  const { state, ...check } = checkReply(request, rest);
  return {
    kind: 'garbage',
    reason: state === 'corrupt' && 'reason' in check ? String(check.reason) : 'short',
  };
}

const startsWith = (bytes: Uint8Array, head: Uint8Array): boolean =>
  bytes.length >= head.length && head.every((byte, index) => bytes[index] === byte);
