import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import type { Pixels } from '../pixels.ts';
import { readChunks } from './chunks.ts';
import { rowPainter } from './paint-row.ts';
import { passesOf, SAMPLES } from './passes.ts';
import { PngFault } from './png-fault.ts';
import { unfilter } from './unfilter.ts';

/** Deflate cannot do better, so that less data than this cannot be the image that the header promises. */
const BEST_RATIO = 1032;
const PIECE_BYTES = 256 * 1024;

/**
 * Decodes a PNG of any kind. The pixels are unpacked piece by piece, never more of them than the header says: a bomb
 * costs no memory. @throws PngFault
 */
export async function decodePng(file: Buffer): Promise<Pixels> {
  const chunks = readChunks(file);
  const { width, height, depth, colour } = chunks.header;
  const passes = passesOf(chunks.header);
  const expected = passes.reduce((sum, pass) => sum + pass.height * (pass.rowBytes + 1), 0);
  const packed = chunks.data.reduce((sum, piece) => sum + piece.length, 0);
  if (packed * BEST_RATIO < expected) throw new PngFault('is cut off');

  const pixels: Pixels = { width, height, data: new Uint8Array(width * height * 3) };
  const paint = rowPainter(chunks, pixels);
  const stride = Math.max(1, (depth * (SAMPLES[colour] ?? 1)) / 8);
  const rows = rowsOf(inflated(chunks.data));
  try {
    for (const pass of passes) {
      // Two lines in turn: one for each row would be as much again as the picture, and garbage.
      let line = new Uint8Array(pass.rowBytes + 1);
      let former = new Uint8Array(pass.rowBytes + 1);
      for (let row = 0; row < pass.height; row++) {
        const isWhole = rows.fill(line);
        if (!(typeof isWhole === 'boolean' ? isWhole : await isWhole)) throw new PngFault('is cut off');
        const current = line.subarray(1);
        unfilter(line[0] ?? 0, current, former.subarray(1), stride);
        paint(current, pass, pass.y0 + row * pass.stepY);
        [line, former] = [former, line];
      }
    }
    return pixels;
  } finally {
    await rows.end();
  }
}

async function* inflated(data: readonly Uint8Array[]): AsyncGenerator<Buffer> {
  const inflate = createInflate({ chunkSize: PIECE_BYTES });
  const source = Readable.from(data, { objectMode: true });
  source.pipe(inflate);
  try {
    for await (const piece of inflate) yield piece as Buffer;
  } catch (cause) {
    throw new PngFault('has broken data', { cause });
  } finally {
    source.destroy();
    inflate.destroy();
  }
}

interface Rows {
  /** Fills a row with the next bytes; false when there are not so many. Without waiting when they are at hand. */
  fill(row: Uint8Array): boolean | Promise<boolean>;
  end(): Promise<unknown>;
}

function rowsOf(pieces: AsyncGenerator<Buffer>): Rows {
  let piece: Uint8Array = new Uint8Array(0);
  let used = 0;
  const fillFrom = async (row: Uint8Array, from: number) => {
    let filled = from;
    while (filled < row.length) {
      const next = await pieces.next();
      if (next.done) return false;
      piece = next.value;
      used = Math.min(piece.length, row.length - filled);
      row.set(piece.subarray(0, used), filled);
      filled += used;
    }
    return true;
  };
  return {
    fill: (row) => {
      const ready = Math.min(row.length, piece.length - used);
      row.set(piece.subarray(used, used + ready));
      used += ready;
      return ready === row.length || fillFrom(row, ready);
    },
    end: () => pieces.return(undefined),
  };
}
