/** Bytes as data sheets print them: `01 05 00 00 FF 00`. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' ');
}

/** The reverse of `hexOf`; white space is ignored. Throws RangeError on anything that is not a hex byte. */
export function bytesOf(hex: string): Uint8Array {
  const digits = hex.replace(/\s+/g, '');
  if (!/^([0-9a-fA-F]{2})*$/.test(digits)) throw new RangeError(`"${hex}" is not a list of hex bytes`);
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}
