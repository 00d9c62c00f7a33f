import { deflateSync } from 'node:zlib';
import { crc32 } from '../../lib/crc32.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { motley } from '../../test-kit/window/pictures.ts';
import { MAX_PIXELS } from '../../window/image/limits.ts';
import { readHeader } from '../../window/image/png/chunks.ts';
import { decodePng } from '../../window/image/png/decode.ts';
import { encodePng, pngFile } from '../../window/image/png/encode.ts';
import { PngFault } from '../../window/image/png/png-fault.ts';

export interface StressResult {
  files: number;
  decoded: number;
  refused: number;
  /** Anything but a refusal: a defect. */
  defects: string[];
  /** Milliseconds of the slowest file. */
  slowestMs: number;
  /** Largest resident memory seen, bytes. */
  memoryBytes: number;
}

/** Decodes PNG files that were broken at random, most of them with checksums put right again, so that the break gets far. */
export async function stress(count: number, seed: number, now: () => number): Promise<StressResult> {
  const random = seededRandom(seed);
  // One that is not compressed: in it a break reaches the filters and the pixels.
  const originals = [encodePng(motley(40, 30)), encodePng(motley(3, 200)), encodePng(motley(33, 21), 0)];
  const result: StressResult = {
    files: 0,
    decoded: 0,
    refused: 0,
    defects: [],
    slowestMs: 0,
    memoryBytes: 0,
  };
  for (; result.files < count; result.files++) {
    // Every third file is sound outside and random inside: it gets to the filters, palettes and passes.
    const file =
      result.files % 3 === 0
        ? randomImage(random)
        : mutated(originals[result.files % originals.length] as Buffer, random);
    const startedAt = now();
    try {
      const { width, height } = readHeader(file);
      if (width * height > MAX_PIXELS || width === 0 || height === 0) throw new PngFault('is too large');
      await decodePng(file);
      result.decoded++;
    } catch (thrown) {
      if (thrown instanceof PngFault) result.refused++;
      else result.defects.push(`file ${result.files} of seed ${seed}: ${String(thrown)}`);
    }
    result.slowestMs = Math.max(result.slowestMs, now() - startedAt);
    result.memoryBytes = Math.max(result.memoryBytes, process.memoryUsage.rss());
  }
  return result;
}

/** Colour types with their depths. */
const KINDS: readonly (readonly [colour: number, depth: number])[] = [
  [2, 8],
  [6, 8],
  [2, 16],
  [0, 1],
  [0, 4],
  [0, 16],
  [3, 1],
  [3, 2],
  [3, 8],
  [4, 8],
  [4, 16],
];

function randomImage(random: Random): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
  const [colour, depth] = random() < 0.9 ? (KINDS[below(KINDS.length)] ?? [2, 8]) : [below(8), below(17)];
  const header = Buffer.from([0, 0, 0, below(24), 0, 0, 0, below(24), depth, colour, 0, 0, below(2)]);
  const raw = bytes(below(8000)).map((value) => (value < 255 ? value % 5 : value));
  const palette: [string, Uint8Array][] = random() < 0.8 ? [['PLTE', bytes(below(260) * 3)]] : [];
  const transparency: [string, Uint8Array][] = random() < 0.5 ? [['tRNS', bytes(below(10))]] : [];
  return pngFile([['IHDR', header], ...palette, ...transparency, ['IDAT', deflateSync(raw)]]);
}

function mutated(original: Buffer, random: Random): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  let file = Buffer.from(original);
  for (let times = 1 + below(3); times > 0; times--) {
    const at = 8 + below(file.length - 8);
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        file[at] = below(256);
        break;
      case 4:
      case 5:
      case 6:
        file[at] = (file[at] ?? 0) ^ (1 << below(8));
        break;
      case 7:
        file = file.subarray(0, Math.max(9, at));
        break;
      case 8:
        file = Buffer.concat([file.subarray(0, at), file.subarray(Math.min(file.length, at + below(12)))]);
        break;
      default:
        file = Buffer.concat([
          file.subarray(0, at),
          Buffer.from([below(256), below(256)]),
          file.subarray(at),
        ]);
    }
  }
  if (random() < 0.8) repairChecksums(file);
  return file;
}

function repairChecksums(file: Buffer): void {
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length) return;
    file.writeUInt32BE(crc32(file.subarray(at + 4, end)), end);
    at = end + 4;
  }
}
