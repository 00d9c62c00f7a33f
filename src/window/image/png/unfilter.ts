import { PngFault } from './png-fault.ts';

/**
 * Undoes the filter of one row in place (PNG specification, section 9).
 *
 * @param stride bytes of a whole pixel, at least 1
 * @throws PngFault
 */
export function unfilter(filter: number, row: Uint8Array, above: Uint8Array, stride: number): void {
  const { length } = row;
  if (filter === 0) return;
  if (filter === 1) {
    for (let at = stride; at < length; at++) row[at] = byteAt(row, at) + byteAt(row, at - stride);
  } else if (filter === 2) {
    for (let at = 0; at < length; at++) row[at] = byteAt(row, at) + byteAt(above, at);
  } else if (filter === 3) {
    for (let at = 0; at < length; at++) {
      const left = at < stride ? 0 : byteAt(row, at - stride);
      row[at] = byteAt(row, at) + ((left + byteAt(above, at)) >> 1);
    }
  } else if (filter === 4) {
    for (let at = 0; at < length; at++) {
      const left = at < stride ? 0 : byteAt(row, at - stride);
      const corner = at < stride ? 0 : byteAt(above, at - stride);
      row[at] = byteAt(row, at) + paeth(left, byteAt(above, at), corner);
    }
  } else throw new PngFault(`has an unknown filter ${filter}`);
}

const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] as number;

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const byLeft = Math.abs(estimate - left);
  const byUp = Math.abs(estimate - up);
  const byCorner = Math.abs(estimate - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
