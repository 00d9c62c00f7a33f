import { deflateSync } from 'node:zlib';
import { crc32 } from '../../../lib/crc32.ts';
import type { Pixels } from '../pixels.ts';

/** A PNG with these pixels, 8 bits RGB. @param level of compression, 0..9 */
export function encodePng({ width, height, data }: Pixels, level = 6): Buffer {
  const rowBytes = width * 3;
  const raw = Buffer.alloc(height * (rowBytes + 1));
  for (let y = 0; y < height; y++) {
    const at = y * (rowBytes + 1);
    raw[at] = y === 0 ? 0 : 2;
    for (let x = 0; x < rowBytes; x++) {
      const above = y === 0 ? 0 : (data[(y - 1) * rowBytes + x] ?? 0);
      raw[at + 1 + x] = (data[y * rowBytes + x] ?? 0) - above;
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return pngFile([
    ['IHDR', header],
    ['IDAT', deflateSync(raw, { level })],
  ]);
}

/** A PNG of these chunks; IEND is added. */
export function pngFile(chunks: readonly (readonly [type: string, body: Uint8Array])[]): Buffer {
  const parts = [...chunks, ['IEND', new Uint8Array(0)] as const].map(([type, body]) => {
    const chunk = Buffer.alloc(body.length + 12);
    chunk.writeUInt32BE(body.length, 0);
    chunk.write(type, 4, 'latin1');
    chunk.set(body, 8);
    chunk.writeUInt32BE(crc32(chunk.subarray(4, body.length + 8)), body.length + 8);
    return chunk;
  });
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}
