import type { ColourComponents } from './components.ts';
import { boxOf } from './ink.ts';

const SAMPLES = [0.1, 0.3, 0.5, 0.7, 0.9];

/** The surface that most points around a surface's box lie on. */
export function surroundings(components: ColourComponents, surface: Uint8Array): Int32Array {
  const { width, height, label, count } = components;
  const around = new Int32Array(count).fill(-1);
  for (let l = 0; l < count; l++) {
    if (!surface[l]) continue;
    const { x0, y0, x1, y1 } = boxOf(components, l);
    const votes = new Map<number, number>();
    const look = (x: number, y: number) => {
      const px = Math.round(x);
      const py = Math.round(y);
      if (px < 0 || py < 0 || px >= width || py >= height) return;
      const other = label[py * width + px] as number;
      if (other !== l && surface[other]) votes.set(other, (votes.get(other) ?? 0) + 1);
    };
    for (const off of [1, 3, 6]) {
      for (const t of SAMPLES) {
        look(x0 + t * (x1 - x0), y0 - off);
        look(x0 + t * (x1 - x0), y1 - 1 + off);
        look(x0 - off, y0 + t * (y1 - y0));
        look(x1 - 1 + off, y0 + t * (y1 - y0));
      }
    }
    let most = 0;
    for (const [other, times] of votes) {
      if (times > most) {
        most = times;
        around[l] = other;
      }
    }
  }
  return around;
}

/** Of each surface: area between its outermost pixels of each row, by the area of its box. */
export function solidities(components: ColourComponents, surface: Uint8Array): Float32Array {
  const { width, height, label, count } = components;
  const covered = new Float64Array(count);
  /** Row that each was last seen in, and its end there. */
  const row = new Int32Array(count).fill(-1);
  const end = new Int32Array(count);
  for (let y = 0; y < height; y++) {
    const base = y * width;
    for (let x = 0; x < width; ) {
      const l = label[base + x] as number;
      const start = row[l] === y ? (end[l] as number) : x;
      while (x < width && label[base + x] === l) x++;
      covered[l] = (covered[l] as number) + x - start;
      row[l] = y;
      end[l] = x;
    }
  }
  const solidity = new Float32Array(count);
  for (let l = 0; l < count; l++) {
    if (!surface[l]) continue;
    const { x0, y0, x1, y1 } = boxOf(components, l);
    solidity[l] = (covered[l] as number) / ((x1 - x0) * (y1 - y0));
  }
  return solidity;
}
