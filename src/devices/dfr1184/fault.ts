import * as z from 'zod';
import type { Random } from '../../lib/random/seeded-random.ts';
import { SAMPLE_BYTES } from './protocol.ts';

const BYTE = z.int().min(0).max(0xff);

/** What a twin does to one answer. Several may be combined. The request is carried out all the same. */
export const uartFaultSchema = z.strictObject({
  /** Says nothing at all. */
  silent: z.boolean().optional(),
  /** Answers this many milliseconds later than it would; what was asked meanwhile is answered behind it, in order. */
  late_ms: z.number().min(0).max(60_000).optional(),
  /** Sends only this many bytes of the answer. */
  truncate: z.int().min(0).max(256).optional(),
  /** The answer is damaged so that it shows: a sample above 11 V, a byte of an answer in text. */
  corrupt: z.boolean().optional(),
  /** The answer comes twice. */
  doubled: z.boolean().optional(),
  /** Bytes of another line come in its place. */
  foreign: z.boolean().optional(),
  /** This byte comes ahead of the answer, at once. */
  stale_byte: BYTE.optional(),
  /** This byte follows the answer. */
  extra_byte: BYTE.optional(),
});

export type UartFault = z.infer<typeof uartFaultSchema>;

/** Frames of the valves' and the pump's lines: the neighbours a crossed wire would bring in. */
const FOREIGN_FRAMES = [
  [0x01, 0x01, 0x01, 0x05, 0x91, 0x8b],
  [0x01, 0x05, 0x00, 0x00, 0xff, 0x00, 0x8c, 0x3a],
  [0x32, 0x03, 0x02, 0xc0, 0x32, 0x6d, 0x95],
] as const;

/** The bytes that go out for `answer` under `fault`; none when it is silent. */
export function faultedAnswer(answer: Uint8Array, fault: UartFault, random: Random): Uint8Array {
  if (fault.silent) return new Uint8Array();
  let bytes: number[] = [...answer];
  if (fault.foreign) bytes = [...(FOREIGN_FRAMES[Math.floor(random() * FOREIGN_FRAMES.length)] ?? [])];
  if (fault.corrupt) bytes = corrupted(bytes, random);
  if (fault.truncate !== undefined) bytes = bytes.slice(0, fault.truncate);
  if (fault.doubled) bytes = [...bytes, ...bytes];
  if (fault.extra_byte !== undefined) bytes.push(fault.extra_byte);
  return Uint8Array.from(bytes);
}

/**
 * One wrong bit that a driver can see. A sample has no checksum: a bit that leaves it below 11 V is a reading like
 * any other, so here the wrong bit is one of the top three (2.1 V above the limit or more). Text loses its bit 7.
 */
function corrupted(answer: readonly number[], random: Random): number[] {
  const bytes = [...answer];
  const isSample = bytes.length === SAMPLE_BYTES;
  const index = isSample ? 0 : Math.floor(random() * bytes.length);
  const bit = isSample ? 5 + Math.floor(random() * 3) : 7;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  return bytes;
}
