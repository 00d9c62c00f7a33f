import type { TraceEntry } from '../../../../src/bench/trace/trace-entry.ts';
import { bytesOf } from '../../../../src/transports/hex.ts';
import type { BenchZero } from './machine-time.ts';

const BAUD = 19_200;
/** 8N1 is ten bits. */
export const CHARACTER_MS = 10_000 / BAUD;
/** Silence between two frames (Modbus over serial line 2.5.1.1). */
export const GAP_MS = 3.5 * CHARACTER_MS;

/** All outputs off, as FC05 to 00FF or as FC0F, CRC included. */
const ALL_OFF = ['01 05 00 FF 00 00 FD FA', '01 0F 00 00 00 08 01 00 FE 95'];

/** One frame on the line. Milliseconds of the machine's monotonic clock. */
export interface Frame {
  /** When its first bit began. */
  beganMs: number;
  /** When its last bit had passed. */
  endedMs: number;
  isRequest: boolean;
  isAllOff: boolean;
}

/**
 * The frames of the valves' line, from the twin's trace. At line rate the bench hands a request to the twin 3.5
 * characters after its last bit, as a device takes it, and the twin's answer begins at that moment.
 */
export function framesOf(trace: readonly TraceEntry[], zero: BenchZero): Frame[] {
  return trace.flatMap(({ device, kind, bytes, at_ms }) => {
    if (device !== 'modbus-io' || (kind !== 'in' && kind !== 'out') || bytes === undefined) return [];
    const atMs = zero.atMs + at_ms;
    const lengthMs = bytesOf(bytes).length * CHARACTER_MS;
    const isRequest = kind === 'in';
    const endedMs = isRequest ? atMs - GAP_MS : atMs + lengthMs;
    const isAllOff = isRequest && ALL_OFF.includes(bytes);
    return [{ beganMs: endedMs - lengthMs, endedMs, isRequest, isAllOff }];
  });
}

/** What the line itself would allow for a frame of `characters` that someone wants to send at `wishedMs`. */
export function floorOf(frames: readonly Frame[], wishedMs: number, characters: number) {
  // A transaction in flight is a request that has begun and whose answer has not ended; 3.5 characters follow it.
  const before = frames.filter(({ beganMs }) => beganMs <= wishedMs);
  const last = before.at(-1);
  let freeMs = wishedMs;
  if (last) {
    const answer = last.isRequest ? frames[before.length] : last;
    freeMs = Math.max(wishedMs, (answer?.isRequest === false ? answer : last).endedMs + GAP_MS);
  }
  const firstMs = freeMs - wishedMs;
  return { firstMs, lastMs: firstMs + characters * CHARACTER_MS };
}
