import type { Grey } from './grey.ts';
import { lanczos } from './resize.ts';

const SIDE = 8;
const DCT_SIDE = 32;

/** pHash: 32 x 32 grey, DCT, the lowest 8 x 8, above their median. 16 hex digits, row by row, highest bit first. */
export function pHash(grey: Grey): string {
  const { data } = lanczos(grey, DCT_SIDE, DCT_SIDE);
  const rows = lowFrequencies(Float64Array.from(data), DCT_SIDE);
  const low = lowFrequencies(rows, DCT_SIDE).slice(0, SIDE * SIDE);
  return bitsOf(low.map((value) => Math.round(value * 1e6)));
}

/** dHash: 9 x 8 grey, whether it gets brighter to the right. */
export function dHash(grey: Grey): string {
  const { data } = lanczos(grey, SIDE + 1, SIDE);
  const bits: boolean[] = [];
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) bits.push((data[y * 9 + x + 1] ?? 0) > (data[y * 9 + x] ?? 0));
  return hexOf(bits);
}

/** Haar wavelet hash: the low band at 8 x 8, which is the mean of each part, above the median. */
export function wHash({ width, height, data }: Grey): string {
  const sums = new Float64Array(SIDE * SIDE);
  const counts = new Float64Array(SIDE * SIDE);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * SIDE) / height) * SIDE;
    for (let x = 0; x < width; x++) {
      const part = row + Math.floor((x * SIDE) / width);
      sums[part] = (sums[part] as number) + (data[y * width + x] as number);
      counts[part] = (counts[part] as number) + 1;
    }
  }
  return bitsOf(sums.map((sum, part) => sum / Math.max(1, counts[part] as number)));
}

/** Bits that differ between two hashes of 16 hex digits. */
export function hammingDistance(one: string, other: string): number {
  let different = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  let count = 0;
  for (; different > 0n; different >>= 1n) count += Number(different & 1n);
  return count;
}

/** DCT-II of each row, the first 8 values of it, turned: called twice it gives the lowest 8 x 8 of the plane. */
function lowFrequencies(values: Float64Array, side: number): Float64Array {
  const rows = values.length / side;
  const low = new Float64Array(SIDE * rows);
  for (let row = 0; row < rows; row++)
    for (let frequency = 0; frequency < SIDE; frequency++) {
      let sum = 0;
      for (let index = 0; index < side; index++)
        sum +=
          (values[row * side + index] as number) *
          Math.cos((Math.PI * frequency * (2 * index + 1)) / (2 * side));
      low[frequency * rows + row] = 2 * sum;
    }
  return low;
}

function bitsOf(values: Float64Array): string {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return hexOf([...values].map((value) => value > median));
}

function hexOf(bits: readonly boolean[]): string {
  let hex = '';
  for (let at = 0; at < bits.length; at += 4)
    hex += Number.parseInt(
      bits
        .slice(at, at + 4)
        .map(Number)
        .join(''),
      2,
    ).toString(16);
  return hex;
}
