import type { Grey } from './grey.ts';

/** Lobes of the kernel. */
const SUPPORT = 3;

/** Scales with Lanczos-3, horizontally and then vertically, rounded to bytes after each: what image hashes are made with. */
export function lanczos(image: Grey, width: number, height: number): Grey {
  const wide = scaleRows(image, width);
  return transposed(scaleRows(transposed(wide), height));
}

function scaleRows({ width: from, height, data }: Grey, width: number): Grey {
  const scaled = new Uint8Array(width * height);
  const taps = tapsOf(from, width);
  for (let x = 0; x < width; x++) {
    const { first, weights } = taps[x] as Taps;
    for (let y = 0; y < height; y++) {
      let sum = 0;
      const at = y * from + first;
      for (let tap = 0; tap < weights.length; tap++)
        sum += (data[at + tap] as number) * (weights[tap] as number);
      scaled[y * width + x] = Math.max(0, Math.min(255, Math.round(sum)));
    }
  }
  return { width, height, data: scaled };
}

interface Taps {
  first: number;
  weights: Float64Array;
}

/** Where each new pixel takes its value from; the kernel is as much wider as the image gets smaller. */
function tapsOf(from: number, to: number): Taps[] {
  const scale = from / to;
  const stretch = Math.max(1, scale);
  return Array.from({ length: to }, (_, index) => {
    const centre = (index + 0.5) * scale;
    const first = Math.max(0, Math.trunc(centre - SUPPORT * stretch + 0.5));
    const last = Math.min(from, Math.trunc(centre + SUPPORT * stretch + 0.5));
    const weights = Float64Array.from({ length: last - first }, (_, tap) =>
      kernel((first + tap - centre + 0.5) / stretch),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

function kernel(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= SUPPORT) return 0;
  const angle = Math.PI * x;
  return (SUPPORT * Math.sin(angle) * Math.sin(angle / SUPPORT)) / (angle * angle);
}

function transposed({ width, height, data }: Grey): Grey {
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) turned[x * height + y] = data[y * width + x] as number;
  return { width: height, height: width, data: turned };
}
