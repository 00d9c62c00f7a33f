/** Bytes of a value in the index; null for none. */
export function blobOf(value: number | null): Uint8Array | null {
  if (value === null) return null;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

/** @param hex of the bytes, empty for none */
export const valueOfHex = (hex: string): number | null =>
  hex === '' ? null : Buffer.from(hex, 'hex').readDoubleLE(0);
