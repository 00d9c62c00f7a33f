const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  return crc;
});

/** CRC-16/MODBUS: polynomial 8005 reflected, start FFFF. Sent low byte first. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return crc;
}

/** `body` with its CRC behind it. */
export function appendCrc(body: ArrayLike<number>): Uint8Array {
  const frame = new Uint8Array(body.length + 2);
  frame.set(Uint8Array.from(body));
  const crc = crc16(frame.subarray(0, body.length));
  frame[body.length] = crc & 0xff;
  frame[body.length + 1] = crc >>> 8;
  return frame;
}

/** Whether the last two bytes are the CRC of those before them. */
export function hasValidCrc(frame: Uint8Array): boolean {
  // The CRC over a frame and its own CRC is zero.
  return frame.length >= 4 && crc16(frame) === 0;
}
