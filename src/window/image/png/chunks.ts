import { crc32 } from '../../../lib/crc32.ts';
import { PngFault } from './png-fault.ts';

export interface PngHeader {
  width: number;
  height: number;
  /** Bits of one sample: 1, 2, 4, 8, 16. */
  depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  colour: number;
  interlaced: boolean;
}

export interface PngChunks {
  header: PngHeader;
  /** RGB of each palette entry. */
  palette: Uint8Array | undefined;
  /** Alpha of palette entries, or the one transparent colour. */
  transparency: Uint8Array | undefined;
  /** The compressed pixels, in order. */
  data: Uint8Array[];
}

const SIGNATURE_BYTES = 8;
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** The header alone, so that a size can be refused before the rest is looked at. @throws PngFault */
export function readHeader(file: Buffer): PngHeader {
  const { type, body } = chunkAt(file, SIGNATURE_BYTES);
  if (type !== 'IHDR' || body.length !== 13) throw new PngFault('does not begin with its header');
  const view = Buffer.from(body.buffer, body.byteOffset, body.length);
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = body.subarray(8);
  if (!DEPTHS[colour]?.includes(depth)) throw new PngFault(`has colour type ${colour} with ${depth} bits`);
  if (compression !== 0 || filter !== 0 || interlace > 1) throw new PngFault('is coded in an unknown way');
  return {
    width: view.readUInt32BE(0),
    height: view.readUInt32BE(4),
    depth,
    colour,
    interlaced: interlace === 1,
  };
}

/** All that is needed to decode; checksums of the chunks that matter are compared. @throws PngFault */
export function readChunks(file: Buffer): PngChunks {
  const chunks: PngChunks = {
    header: readHeader(file),
    palette: undefined,
    transparency: undefined,
    data: [],
  };
  for (let at = SIGNATURE_BYTES; ; ) {
    const { type, body, next } = chunkAt(file, at);
    if (type === 'IEND') break;
    if (type === 'PLTE') chunks.palette = body;
    else if (type === 'tRNS') chunks.transparency = body;
    else if (type === 'IDAT') chunks.data.push(body);
    else if (type !== 'IHDR' && /^[A-Z]/.test(type))
      throw new PngFault(`has an unknown chunk ${JSON.stringify(type)}`);
    at = next;
  }
  if (chunks.data.length === 0) throw new PngFault('has no pixels');
  if (chunks.header.colour === 3 && (chunks.palette?.length ?? 0) < 3) throw new PngFault('has no palette');
  return chunks;
}

function chunkAt(file: Buffer, at: number): { type: string; body: Uint8Array; next: number } {
  if (at + 12 > file.length) throw new PngFault('is cut off');
  const length = file.readUInt32BE(at);
  const end = at + 8 + length;
  if (end + 4 > file.length) throw new PngFault('is cut off');
  const type = file.toString('latin1', at + 4, at + 8);
  // Comments and the like may be broken: nothing of them is used.
  const matters = /^(IHDR|PLTE|IDAT|IEND|tRNS)$/.test(type) || /^[A-Z]/.test(type);
  if (matters && crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end))
    throw new PngFault(`has a broken chunk ${JSON.stringify(type)}`);
  return { type, body: file.subarray(at + 8, end), next: end + 4 };
}
