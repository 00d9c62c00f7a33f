import { type BlockMap, blockSize, emptyBlockMap } from './block-map.ts';

/**
 * A block map as hex: version, width and height (4 bytes each), then the planes, each byte as its difference from the
 * one above (in the first row from the one at the left), equal ones counted: 00 and how many, up to 255. The same
 * on every machine, which a general compressor does not promise.
 */
const VERSION = 1;
const HEAD_BYTES = 9;
/** Beyond this no image is opened. */
const MOST_SIDE = 50_000_000;

export function tilesToHex(map: BlockMap): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = VERSION;
  head.writeUInt32BE(map.width, 1);
  head.writeUInt32BE(map.height, 5);
  const differences = planesOf(map).map(({ plane, columns }) => differencesOf(plane, columns));
  return head.toString('hex') + packed(Buffer.concat(differences)).toString('hex');
}

/** Undefined when the text is not a block map. */
export function tilesFromHex(hex: string): BlockMap | undefined {
  if (!/^([0-9a-f]{2})+$/.test(hex)) return undefined;
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return undefined;
  const [width, height] = [bytes.readUInt32BE(1), bytes.readUInt32BE(5)];
  if (width < 1 || height < 1 || width * height > MOST_SIDE) return undefined;
  const map = emptyBlockMap(width, height, blockSize(width, height));
  const planes = planesOf(map);
  const length = planes.reduce((sum, { plane }) => sum + plane.length, 0);
  const differences = unpacked(bytes.subarray(HEAD_BYTES), length);
  if (!differences) return undefined;
  let at = 0;
  for (const { plane, columns } of planes) {
    for (let index = 0; index < plane.length; index++)
      plane[index] = before(plane, index, columns) + (differences[at++] as number);
  }
  return map;
}

function planesOf({ luma, columns, cb, cr, chromaColumns }: BlockMap) {
  return [
    { plane: luma, columns },
    { plane: cb, columns: chromaColumns },
    { plane: cr, columns: chromaColumns },
  ];
}

function before(plane: Uint8Array, index: number, columns: number): number {
  if (index >= columns) return plane[index - columns] as number;
  return index === 0 ? 0 : (plane[index - 1] as number);
}

function differencesOf(plane: Uint8Array, columns: number): Uint8Array {
  return plane.map((value, index) => value - before(plane, index, columns));
}

function packed(bytes: Uint8Array): Buffer {
  const out: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== 0) {
      out.push(bytes[at++] as number);
      continue;
    }
    let run = 1;
    while (run < 255 && bytes[at + run] === 0) run++;
    out.push(0, run);
    at += run;
  }
  return Buffer.from(out);
}

function unpacked(bytes: Uint8Array, length: number): Uint8Array | undefined {
  const out = new Uint8Array(length);
  let filled = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (filled >= length) return undefined;
    if (bytes[at] !== 0) out[filled++] = bytes[at] as number;
    else filled += bytes[++at] || length + 1;
  }
  return filled === length ? out : undefined;
}
