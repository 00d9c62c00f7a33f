import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Pixels } from '../image/pixels.ts';

export interface Barcode {
  /** For example `QRCode`, `EAN-13`. */
  format: string;
  text: string;
  bbox: [x0: number, y0: number, x1: number, y1: number];
}

/** Larger images are not searched: the reader needs them in memory three times. */
export const MAX_BARCODE_PIXELS = 16_000_000;
const MOST_CODES = 16;
const WASM = 'zxing_reader.wasm';

type Reader = typeof import('zxing-wasm/reader');

let loading: Promise<Reader | undefined> | undefined;

/** Codes in a picture, from top to bottom; undefined when they cannot be read here. Nothing is fetched. */
export async function readBarcodes(pixels: Pixels): Promise<Barcode[] | undefined> {
  loading ??= load();
  const reader = await loading;
  if (!reader || pixels.width * pixels.height > MAX_BARCODE_PIXELS) return undefined;
  const found = await reader.readBarcodes(imageData(pixels), {
    tryHarder: true,
    maxNumberOfSymbols: MOST_CODES,
  });
  return found
    .filter(({ isValid }) => isValid)
    .map(({ format, text, position }) => {
      const corners = [position.topLeft, position.topRight, position.bottomRight, position.bottomLeft];
      const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
      const bbox: Barcode['bbox'] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      return { format, text, bbox };
    })
    .sort((a, b) => a.bbox[1] - b.bbox[1] || a.bbox[0] - b.bbox[0]);
}

async function load(): Promise<Reader | undefined> {
  const wasm = wasmFile();
  if (!wasm) return undefined;
  const reader = await import('zxing-wasm/reader');
  await reader.prepareZXingModule({
    overrides: {
      wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length) as ArrayBuffer,
    },
    fireImmediately: true,
  });
  return reader;
}

/** Beside a built program, else in the package. */
function wasmFile(): Buffer | undefined {
  const places = [
    () => fileURLToPath(new URL(WASM, import.meta.url)),
    () => createRequire(import.meta.url).resolve(`zxing-wasm/reader/${WASM}`),
  ];
  for (const place of places) {
    try {
      return readFileSync(place());
    } catch {
      // The next place.
    }
  }
  return undefined;
}

function imageData({ width, height, data }: Pixels): ImageDataLike {
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let from = 0, to = 0; to < rgba.length; from += 3, to += 4) {
    rgba[to] = data[from] as number;
    rgba[to + 1] = data[from + 1] as number;
    rgba[to + 2] = data[from + 2] as number;
    rgba[to + 3] = 255;
  }
  return { data: rgba, width, height, colorSpace: 'srgb' };
}

/** What the reader takes of the browser's type. */
interface ImageDataLike {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
  colorSpace: 'srgb';
}
