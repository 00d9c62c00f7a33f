import type { Pixels } from '../image/pixels.ts';

const SIDE = 4;

/** Mean colours of a 4 x 4 grid as hex, six digits each, row by row. */
export function meanColors({ width, height, data }: Pixels): string {
  const sums = new Float64Array(SIDE * SIDE * 3);
  const counts = new Float64Array(SIDE * SIDE);
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor((y * SIDE) / height) * SIDE;
    for (let x = 0; x < width; x++, at += 3) {
      const cell = row + Math.floor((x * SIDE) / width);
      counts[cell] = (counts[cell] as number) + 1;
      for (let channel = 0; channel < 3; channel++)
        sums[cell * 3 + channel] = (sums[cell * 3 + channel] as number) + (data[at + channel] as number);
    }
  }
  // A cell without pixels (an image of three columns) is black in both images that are compared.
  return Buffer.from(
    sums.map((sum, index) => Math.round(sum / Math.max(1, counts[Math.floor(index / 3)] as number))),
  ).toString('hex');
}

/** The largest difference of any channel of any cell, 0..255. */
export function colorDistance(one: string, other: string): number {
  const [first, second] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return first.reduce(
    (largest, value, index) => Math.max(largest, Math.abs(value - (second[index] ?? 0))),
    0,
  );
}
