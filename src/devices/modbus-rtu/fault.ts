import * as z from 'zod';
import type { Random } from '../../lib/random/seeded-random.ts';
import { appendCrc } from './crc.ts';

/** What a twin does to one answer. Several may be combined. All but `deaf` carry the request out all the same. */
export const rtuFaultSchema = z.strictObject({
  /** Hears nothing: does nothing and says nothing. */
  deaf: z.boolean().optional(),
  /** Does as asked and says nothing at all. */
  silent: z.boolean().optional(),
  /** Answers this many milliseconds later than it would. */
  late_ms: z.number().min(0).max(60_000).optional(),
  /** Answers this many milliseconds later, and serves other requests meanwhile: answers come out of order. */
  stray_ms: z.number().min(0).max(60_000).optional(),
  /** Sends only this many bytes of the answer. */
  truncate: z.int().min(0).max(256).optional(),
  /** One bit of the answer is wrong. */
  bad_crc: z.boolean().optional(),
  /** The answer comes twice in one piece. */
  doubled: z.boolean().optional(),
  /** The answer comes once more, this many milliseconds after the first. */
  repeat_after_ms: z.number().min(0).max(60_000).optional(),
  /** The answer comes at once, before the request and it can have passed the line. */
  early: z.boolean().optional(),
  /** A well-formed answer that belongs to somebody else: another unit or another register. */
  foreign: z.boolean().optional(),
});

export type RtuFault = z.infer<typeof rtuFaultSchema>;

/** The bytes that go out for `reply` under `fault`; none when it is silent. */
export function faultedReply(reply: Uint8Array, fault: RtuFault, random: Random): Uint8Array {
  if (fault.silent) return new Uint8Array();
  let bytes = reply;
  if (fault.foreign) bytes = foreignReply(bytes, random);
  if (fault.bad_crc) {
    bytes = Uint8Array.from(bytes);
    const index = Math.floor(random() * bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  if (fault.truncate !== undefined) bytes = bytes.slice(0, fault.truncate);
  return fault.doubled ? Uint8Array.from([...bytes, ...bytes]) : bytes;
}

function foreignReply(reply: Uint8Array, random: Random): Uint8Array {
  const body = Uint8Array.from(reply.subarray(0, -2));
  const isWriteEcho = body.length === 6 && ((body[1] ?? 0) === 0x05 || (body[1] ?? 0) === 0x06);
  if (isWriteEcho && random() < 0.5) body[3] = (body[3] ?? 0) ^ 0x01;
  else body[0] = ((body[0] ?? 0) % 247) + 1;
  return appendCrc(body);
}
