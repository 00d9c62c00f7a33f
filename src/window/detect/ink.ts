import { colourDistance } from './colours.ts';
import { type ColourComponents, grown } from './components.ts';

/** Connected pixels that lie on surfaces: glyphs, borders, icons, pictures. */
export interface Ink {
  count: number;
  /** Number of the component of each pixel, -1 on a surface. */
  label: Int32Array;
  area: Int32Array;
  x0: Int32Array;
  y0: Int32Array;
  /** Exclusive. */
  x1: Int32Array;
  y1: Int32Array;
  /** Surface that most of its outline touches, -1 for none. */
  surface: Int32Array;
  /** Its colour that differs most from that surface, 0xRRGGBB. */
  colour: Int32Array;
}

/** Thinner than this a flat area is ink, unless it is a letter of large type. Pixels. */
export const LEAST_SQUARE = 8;
/** Higher than this ink is a picture, unless it is a letter of large type. Pixels. */
export const TALLEST_GLYPH = 72;
/** A small flat area is a surface too when it fills its box: bullets, bars, switches. */
const SMALL_SQUARE = 5;
const FILLED = 0.9;

export function isSurface(components: ColourComponents, l: number): boolean {
  const { square, area, x0, y0, x1, y1 } = components;
  const side = square[l] as number;
  if (side >= LEAST_SQUARE) return true;
  if (side < SMALL_SQUARE) return false;
  const width = (x1[l] as number) - (x0[l] as number);
  const height = (y1[l] as number) - (y0[l] as number);
  return (area[l] as number) >= FILLED * width * height && Math.max(width, height) >= 12;
}

/** 1 for each pixel that lies on no surface. @param surface 1 for each component that is one */
export function inkMask({ label }: ColourComponents, surface: Uint8Array): Uint8Array {
  const mask = new Uint8Array(label.length);
  for (let p = 0; p < mask.length; p++) mask[p] = surface[label[p] as number] ? 0 : 1;
  return mask;
}

/** Ink of one kind, 8-connected. @param surface 1 for each component that is one @param isInk the kind of ink of each pixel, 0 for none */
export function inkOf(components: ColourComponents, surface: Uint8Array, isInk: Uint8Array): Ink {
  const { width, height, label: part, colour } = components;
  const label = new Int32Array(width * height).fill(-1);
  let capacity = 1 << 16;
  let runStart = new Int32Array(capacity);
  let runStop = new Int32Array(capacity);
  let parent = new Int32Array(capacity);
  const rowFirst = new Int32Array(height + 1);
  let runs = 0;
  const find = (run: number): number => {
    let at = run;
    while (parent[at] !== at) {
      const up = parent[parent[at] as number] as number;
      parent[at] = up;
      at = up;
    }
    return at;
  };
  for (let y = 0; y < height; y++) {
    rowFirst[y] = runs;
    if (runs + width > capacity) {
      capacity = Math.max(capacity * 2, runs + width);
      runStart = grown(runStart, capacity);
      runStop = grown(runStop, capacity);
      parent = grown(parent, capacity);
    }
    const base = y * width;
    let upper = y > 0 ? (rowFirst[y - 1] as number) : 0;
    const upperEnd = y > 0 ? (rowFirst[y] as number) : 0;
    for (let x = 0; x < width; ) {
      if (!isInk[base + x]) {
        x++;
        continue;
      }
      const start = x;
      const kind = isInk[base + x] as number;
      while (x < width && isInk[base + x] === kind) x++;
      const run = runs++;
      runStart[run] = start;
      runStop[run] = x;
      parent[run] = run;
      while (upper < upperEnd && (runStop[upper] as number) < start) upper++;
      for (let other = upper; other < upperEnd && (runStart[other] as number) <= x; other++) {
        if (isInk[base - width + (runStart[other] as number)] !== kind) continue;
        const one = find(run);
        const two = find(other);
        if (one < two) parent[two] = one;
        else parent[one] = two;
      }
    }
  }
  rowFirst[height] = runs;

  const numberOf = new Int32Array(runs);
  let count = 0;
  for (let run = 0; run < runs; run++)
    numberOf[run] = parent[run] === run ? count++ : (numberOf[find(run)] as number);
  const area = new Int32Array(count);
  const x0 = new Int32Array(count).fill(width);
  const y0 = new Int32Array(count).fill(height);
  const x1 = new Int32Array(count);
  const y1 = new Int32Array(count);
  const touched = new Map<number, number>();
  const components2 = components.count;
  const touch = (ink: number, p: number) => {
    const l = part[p] as number;
    if (!surface[l]) return;
    const key = ink * components2 + l;
    touched.set(key, (touched.get(key) ?? 0) + 1);
  };
  for (let y = 0; y < height; y++) {
    const base = y * width;
    for (let run = rowFirst[y] as number; run < (rowFirst[y + 1] as number); run++) {
      const l = numberOf[run] as number;
      const start = runStart[run] as number;
      const stop = runStop[run] as number;
      label.fill(l, base + start, base + stop);
      area[l] = (area[l] as number) + stop - start;
      if (start < (x0[l] as number)) x0[l] = start;
      if (stop > (x1[l] as number)) x1[l] = stop;
      if (y < (y0[l] as number)) y0[l] = y;
      y1[l] = y + 1;
      if (start > 0) touch(l, base + start - 1);
      if (stop < width) touch(l, base + stop);
      // Above and below at the ends; enough to tell the surface of a glyph, and of a long line both sides.
      for (let x = start; x < stop; x += 4) {
        if (y > 0) touch(l, base + x - width);
        if (y + 1 < height) touch(l, base + x + width);
      }
    }
  }
  const surfaceOf = new Int32Array(count).fill(-1);
  const most = new Int32Array(count);
  for (const [key, times] of touched) {
    const ink = Math.floor(key / components2);
    if (times > (most[ink] as number)) {
      most[ink] = times;
      surfaceOf[ink] = key - ink * components2;
    }
  }
  const inkColour = new Int32Array(count).fill(-1);
  const contrast = new Int32Array(count).fill(-1);
  for (let y = 0; y < height; y++) {
    const base = y * width;
    for (let run = rowFirst[y] as number; run < (rowFirst[y + 1] as number); run++) {
      const l = numberOf[run] as number;
      const behind = surfaceOf[l] as number;
      const ground = behind < 0 ? 0xffffff : (components.first[behind] as number);
      for (let x = runStart[run] as number; x < (runStop[run] as number); x++) {
        const c = colour[base + x] as number;
        const difference = colourDistance(c, ground);
        if (difference > (contrast[l] as number)) {
          contrast[l] = difference;
          inkColour[l] = c;
        }
      }
    }
  }
  return { count, label, area, x0, y0, x1, y1, surface: surfaceOf, colour: inkColour };
}

interface Boxes {
  x0: Int32Array;
  y0: Int32Array;
  x1: Int32Array;
  y1: Int32Array;
}

export const boxOf = (boxes: Boxes, l: number) => ({
  x0: boxes.x0[l] as number,
  y0: boxes.y0[l] as number,
  x1: boxes.x1[l] as number,
  y1: boxes.y1[l] as number,
});
