import type { Pixels } from '../image/pixels.ts';
import { flattenGradients } from './gradients.ts';

/** Connected pixels of (nearly) one colour, numbered from 0. */
export interface ColourComponents {
  width: number;
  height: number;
  /** Number of the component of each pixel. */
  label: Int32Array;
  /** Colour of each pixel, 0xRRGGBB; steep gradients have that of their middle. */
  colour: Int32Array;
  count: number;
  area: Int32Array;
  x0: Int32Array;
  y0: Int32Array;
  /** Exclusive. */
  x1: Int32Array;
  y1: Int32Array;
  /** Side of the largest square that fits into it, capped; 0 for those too small to ask. */
  square: Uint8Array;
  /** Colour in its first row, 0xRRGGBB. */
  first: Int32Array;
}

/** Pixels; larger squares are not told apart. */
export const MOST_SQUARE = 32;

/**
 * Components of pixels whose neighbours differ by at most `tolerance` in each channel, 4-connected: flat areas, and slow
 * gradients as one.
 */
export function colourComponents({ width, height, data }: Pixels, tolerance: number): ColourComponents {
  const size = width * height;
  const colour = new Int32Array(size);
  for (let p = 0, i = 0; p < size; p++, i += 3)
    colour[p] = ((data[i] as number) << 16) | ((data[i + 1] as number) << 8) | (data[i + 2] as number);
  flattenGradients(colour, width, height);
  const isNear = (a: number, b: number): boolean => {
    if (a === b) return true;
    const red = (a >> 16) - (b >> 16);
    if (red > tolerance || red < -tolerance) return false;
    const green = ((a >> 8) & 255) - ((b >> 8) & 255);
    if (green > tolerance || green < -tolerance) return false;
    const blue = (a & 255) - (b & 255);
    return blue <= tolerance && blue >= -tolerance;
  };

  // Runs of each row, joined with those above by union-find.
  let capacity = 1 << 17;
  let runEnd = new Int32Array(capacity);
  let parent = new Int32Array(capacity);
  const rowFirst = new Int32Array(height + 1);
  let runs = 0;
  for (let y = 0; y < height; y++) {
    rowFirst[y] = runs;
    const base = y * width;
    let before = colour[base] as number;
    if (runs + width > capacity) {
      capacity = Math.max(capacity * 2, runs + width);
      runEnd = grown(runEnd, capacity);
      parent = grown(parent, capacity);
    }
    for (let x = 1; x < width; x++) {
      const now = colour[base + x] as number;
      if (now !== before) {
        if (!isNear(now, before)) {
          runEnd[runs] = x;
          parent[runs] = runs;
          runs++;
        }
        before = now;
      }
    }
    runEnd[runs] = width;
    parent[runs] = runs;
    runs++;
    if (y > 0) join(y);
  }
  rowFirst[height] = runs;

  function join(y: number): void {
    const base = y * width;
    let upper = rowFirst[y - 1] as number;
    const upperEnd = rowFirst[y] as number;
    let start = 0;
    let upperStart = 0;
    for (let run = upperEnd; run < runs; run++) {
      const end = runEnd[run] as number;
      for (;;) {
        const upperStop = runEnd[upper] as number;
        const from = start > upperStart ? start : upperStart;
        const to = end < upperStop ? end : upperStop;
        for (let x = from; x < to; x++) {
          const p = base + x;
          const a = colour[p] as number;
          const b = colour[p - width] as number;
          if (a === b || isNear(a, b)) {
            union(run, upper);
            break;
          }
        }
        if (upperStop > end || upper + 1 >= upperEnd) break;
        upperStart = upperStop;
        upper++;
        if (upperStop === end) break;
      }
      start = end;
    }
  }

  function find(run: number): number {
    let at = run;
    while (parent[at] !== at) {
      const up = parent[parent[at] as number] as number;
      parent[at] = up;
      at = up;
    }
    return at;
  }

  function union(a: number, b: number): void {
    const one = find(a);
    const other = find(b);
    if (one < other) parent[other] = one;
    else parent[one] = other;
  }

  const numberOf = new Int32Array(runs);
  let count = 0;
  for (let run = 0; run < runs; run++) numberOf[run] = parent[run] === run ? count++ : -1;
  const label = new Int32Array(size);
  const area = new Int32Array(count);
  const x0 = new Int32Array(count).fill(width);
  const y0 = new Int32Array(count).fill(height);
  const x1 = new Int32Array(count);
  const y1 = new Int32Array(count);
  const first = new Int32Array(count).fill(-1);
  for (let y = 0; y < height; y++) {
    let start = 0;
    const last = rowFirst[y + 1] as number;
    for (let run = rowFirst[y] as number; run < last; run++) {
      const end = runEnd[run] as number;
      let l = numberOf[run] as number;
      if (l < 0) {
        l = numberOf[find(run)] as number;
        numberOf[run] = l;
      }
      label.fill(l, y * width + start, y * width + end);
      area[l] = (area[l] as number) + end - start;
      if (start < (x0[l] as number)) x0[l] = start;
      if (end > (x1[l] as number)) x1[l] = end;
      if (y < (y0[l] as number)) y0[l] = y;
      y1[l] = y + 1;
      if ((first[l] as number) < 0) first[l] = colour[y * width + start] as number;
      start = end;
    }
  }
  const square = squares(label, count, area, width, height);
  return { width, height, label, colour, count, area, x0, y0, x1, y1, square, first };
}

function squares(
  label: Int32Array,
  count: number,
  area: Int32Array,
  width: number,
  height: number,
): Uint8Array {
  const square = new Uint8Array(count);
  let above = new Uint8Array(width);
  let row = new Uint8Array(width);
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const l = label[p] as number;
      let side = 0;
      if ((area[l] as number) >= 16) {
        side = 1;
        if (x > 0 && y > 0 && label[p - 1] === l && label[p - width] === l && label[p - width - 1] === l) {
          const left = row[x - 1] as number;
          const up = above[x] as number;
          const corner = above[x - 1] as number;
          const least = left < up ? (left < corner ? left : corner) : up < corner ? up : corner;
          side = least < MOST_SQUARE ? least + 1 : MOST_SQUARE;
        }
        if (side > (square[l] as number)) square[l] = side;
      }
      row[x] = side;
    }
    const swap = above;
    above = row;
    row = swap;
  }
  return square;
}

/** A copy with more room. */
export function grown(values: Int32Array<ArrayBuffer>, capacity: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(capacity);
  larger.set(values);
  return larger;
}
