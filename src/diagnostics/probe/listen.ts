import type { Clock } from '../../lib/clock/clock.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { findFrames } from './frames.ts';

/** What a line carries while nothing is sent on it. */
export interface Heard {
  kind: 'silence' | 'foreign_traffic' | 'garbage';
  bytes: Uint8Array;
  /** What the bytes point to; empty for a silent line. */
  meaning: string;
  ms: number;
}

const MAX_BYTES = 4096;

/** Receives for some time and sends nothing. A line on which frames arrive is left early: it has a master already. */
export async function listen(transport: ByteTransport, ms: number, clock: Clock): Promise<Heard> {
  const bytes: number[] = [];
  const startedAt = clock.monotonic();
  const ended = new AbortController();
  const stop = transport.onBytes((chunk) => {
    if (bytes.length < MAX_BYTES) bytes.push(...chunk.subarray(0, MAX_BYTES - bytes.length));
    if (findFrames(Uint8Array.from(bytes)).length >= 2) ended.abort();
  });
  try {
    await clock.sleep(ms, ended.signal).catch((thrown: unknown) => {
      if (!ended.signal.aborted) throw thrown;
    });
  } finally {
    stop();
  }
  return { ...judge(Uint8Array.from(bytes)), ms: Math.round(clock.monotonic() - startedAt) };
}

/** Bytes that a receiver makes of a talker at a fraction of its rate (8N1). */
const RATES: readonly { share: string; bytes: ReadonlySet<number> }[] = [
  { share: 'a quarter', bytes: new Set([0x00, 0x78, 0x80, 0xf8]) },
  {
    share: 'half',
    bytes: new Set([
      ...[0x00, 0x06, 0x18, 0x1e, 0x60, 0x66, 0x78, 0x7e, 0x80, 0x86, 0x98, 0x9e, 0xe0, 0xe6, 0xf8, 0xfe],
    ]),
  },
];
/** Fewer bytes prove no pattern. */
const PATTERN_BYTES = 8;

/** What bytes on a line that no one asked point to. */
export function judge(bytes: Uint8Array): Omit<Heard, 'ms'> {
  if (bytes.length === 0) return { kind: 'silence', bytes, meaning: '' };
  const frames = findFrames(bytes);
  if (frames.length > 0)
    return {
      kind: 'foreign_traffic',
      bytes,
      meaning: `${frames.length} whole Modbus frames: another master uses this line`,
    };
  if (bytes.every((byte) => byte === 0))
    return { kind: 'garbage', bytes, meaning: 'only 00 bytes: A and B are swapped, or the line has no bias' };
  const rate = RATES.find(
    ({ bytes: set }) => bytes.length >= PATTERN_BYTES && bytes.every((byte) => set.has(byte)),
  );
  if (rate)
    return { kind: 'garbage', bytes, meaning: `a device transmits at ${rate.share} of this bit rate` };
  return {
    kind: 'garbage',
    bytes,
    meaning: 'bytes that are no frames: a device transmits at another bit rate or parity',
  };
}
