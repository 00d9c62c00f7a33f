import { hasValidCrc } from '../../devices/modbus-rtu/crc.ts';

/** Whole Modbus RTU frames in a stream of bytes: a known function, a length that fits it, and a good CRC. */
export function findFrames(bytes: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const found = lengthsAt(bytes, at)
      .map((length) => bytes.subarray(at, at + length))
      .find((frame) => hasValidCrc(frame));
    if (found) frames.push(found);
    at += found?.length ?? 1;
  }
  return frames;
}

const READS = [0x01, 0x02, 0x03, 0x04];
const WRITES = [0x05, 0x06];
const MULTIPLE = [0x0f, 0x10];

/** Lengths that a frame which begins here may have: as a request, as a reply, as an exception. */
function lengthsAt(bytes: Uint8Array, at: number): number[] {
  const [unit = 0, code = 0, count = 0] = bytes.subarray(at);
  if (unit > 247) return [];
  const lengths: number[] = [];
  if (READS.includes(code)) lengths.push(8, count + 5);
  if (WRITES.includes(code)) lengths.push(8);
  if (MULTIPLE.includes(code)) lengths.push(8, (bytes[at + 6] ?? 0) + 9);
  if (code > 0x80 && code <= 0x90) lengths.push(5);
  return lengths.filter((length) => length >= 5 && at + length <= bytes.length);
}
