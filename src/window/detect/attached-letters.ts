import { boxOf, type Ink, TALLEST_GLYPH } from './ink.ts';

/** In a mask of ink: what belongs to a border, and hangs together with nothing but that. */
export const BORDER = 2;

/** A border is longer than any letter, and so is each of its lines. Pixels. */
const LEAST_BORDER = 80;
const LEAST_LINE = 24;
const THICKEST = 4;
/** Of its lines' pixels, those that nothing is attached to. */
const FREE = 0.5;
/** Of a side of the box, what is drawn of it; and how many sides have so much. */
const DRAWN = 0.6;
const LEAST_SIDES = 3;
/** Of a box, the ink of its border or grid. */
const MOST_INK = 0.45;
/** Boxes of all of them together, by the area of the image: windows, their frames and the frames in these. */
const MOST_AREA = 4;
/** Of a letter: its height, pixels, and its ink. */
const LETTER = { least: 5, most: TALLEST_GLYPH, ink: 6 };

/**
 * Marks the borders that letters touch, so that these become ink of their own: a list whose names begin at its edge, a text right behind
 * a field.
 *
 * @param isInk 1 for each pixel of ink; those of such borders become BORDER @returns whether there is one, and how many were not looked at
 */
export function markBorders(ink: Ink, width: number, isInk: Uint8Array): { isAny: boolean; left: number } {
  const { label } = ink;
  let isAny = false;
  const { chosen, left } = bordersAmong(ink, MOST_AREA * label.length);
  for (const l of chosen) {
    const box = boxOf(ink, l);
    const [w, h] = [box.x1 - box.x0, box.y1 - box.y0];
    const own = new Uint8Array(w * h);
    for (let y = 0; y < h; y++)
      for (let x = 0, p = (box.y0 + y) * width + box.x0; x < w; x++, p++)
        if (label[p] === l) own[y * w + x] = 1;
    const lines = linesIn(own, w, h);
    if (!isBorder(lines, w, h)) continue;
    const letters = lettersIn(own, lines, w, h);
    if (letters === 0) continue;
    isAny = true;
    for (let y = 0; y < h; y++)
      for (let x = 0, p = (box.y0 + y) * width + box.x0; x < w; x++, p++)
        if (own[y * w + x] === 1 && lines[y * w + x] !== LETTER_PIXEL) isInk[p] = BORDER;
  }
  return { isAny, left };
}

/**
 * Ink that may be borders with letters at them, the smallest first: only so many that the sum of their boxes stays below a bound, since
 * each pixel of a box is looked at, and boxes of slanting strokes lie over each other.
 *
 * @param most sum of the areas, square pixels
 */
export function bordersAmong(
  { count, area, x0, y0, x1, y1 }: Omit<Ink, 'label'>,
  most: number,
): { chosen: number[]; left: number } {
  const areas = new Map<number, number>();
  for (let l = 0; l < count; l++) {
    const [w, h] = [(x1[l] as number) - (x0[l] as number), (y1[l] as number) - (y0[l] as number)];
    if (Math.max(w, h) < LEAST_BORDER || w < LEAST_LINE || h < 14 || (area[l] as number) > MOST_INK * w * h)
      continue;
    areas.set(l, w * h);
  }
  const chosen: number[] = [];
  let sum = 0;
  for (const [l, own] of [...areas].sort(([a, one], [b, other]) => one - other || a - b)) {
    sum += own;
    if (sum > most) break;
    chosen.push(l);
  }
  return { chosen, left: areas.size - chosen.length };
}

const LINE = 1;
const LETTER_PIXEL = 2;

/** Long thin strokes, across and down. */
function linesIn(own: Uint8Array, w: number, h: number): Uint8Array {
  const across = runsOf(own, w, h, 1, w);
  const down = runsOf(own, h, w, w, 1);
  const lines = new Uint8Array(own.length);
  const mark = (
    runs: Uint16Array,
    others: Uint16Array,
    count: number,
    length: number,
    step: number,
    next: number,
  ) => {
    for (let i = 0; i < count; i++)
      for (let k = 0; k < length; ) {
        const run = runs[i * next + k * step] as number;
        if (run < LEAST_LINE) {
          k += Math.max(1, run);
          continue;
        }
        let free = 0;
        for (let n = k; n < k + run; n++) {
          const other = others[i * next + n * step] as number;
          if (other <= THICKEST || other >= LEAST_LINE) free++;
        }
        if (free >= FREE * run) for (let n = k; n < k + run; n++) lines[i * next + n * step] = LINE;
        k += run;
      }
  };
  mark(across, down, h, w, 1, w);
  mark(down, across, w, h, w, 1);
  return lines;
}

/** For each pixel of ink the length of its run in one direction. */
function runsOf(own: Uint8Array, length: number, count: number, step: number, next: number): Uint16Array {
  const runs = new Uint16Array(own.length);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < length; ) {
      if (!own[i * next + k * step]) {
        k++;
        continue;
      }
      const from = k;
      while (k < length && own[i * next + k * step]) k++;
      for (let n = from; n < k; n++) runs[i * next + n * step] = k - from;
    }
  return runs;
}

/** Whether the lines are drawn along most sides of their box. */
function isBorder(lines: Uint8Array, w: number, h: number): boolean {
  let [left, top, right, bottom] = [w, h, 0, 0];
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      if (lines[y * w + x]) {
        left = Math.min(left, x);
        right = Math.max(right, x + 1);
        top = Math.min(top, y);
        bottom = y + 1;
      }
  if (right - left < LEAST_LINE || bottom - top < 14 || Math.max(right - left, bottom - top) < LEAST_BORDER)
    return false;
  const share = (x0: number, y0: number, x1: number, y1: number): number => {
    // Along the side, whichever of its pixels next to each other is drawn.
    let drawn = 0;
    const isAcross = x1 - x0 > y1 - y0;
    const length = isAcross ? x1 - x0 : y1 - y0;
    for (let k = 0; k < length; k++) {
      let isDrawn = false;
      for (let d = 0; d < (isAcross ? y1 - y0 : x1 - x0); d++)
        if (lines[isAcross ? (y0 + d) * w + x0 + k : (y0 + k) * w + x0 + d]) isDrawn = true;
      if (isDrawn) drawn++;
    }
    return drawn / length;
  };
  const sides = [
    share(left, top, right, Math.min(bottom, top + 2)),
    share(left, Math.max(top, bottom - 2), right, bottom),
    share(left, top, Math.min(right, left + 2), bottom),
    share(Math.max(left, right - 2), top, right, bottom),
  ];
  return sides.filter((one) => one >= DRAWN).length >= LEAST_SIDES;
}

/** Marks what is attached to the lines and may be letters. @returns how many pieces that are */
function lettersIn(own: Uint8Array, lines: Uint8Array, w: number, h: number): number {
  const isSeen = new Uint8Array(own.length);
  let letters = 0;
  for (let start = 0; start < own.length; start++) {
    if (!own[start] || lines[start] || isSeen[start]) continue;
    const places = [start];
    isSeen[start] = 1;
    let [left, top, right, bottom] = [w, h, 0, 0];
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number;
      const [x, y] = [place % w, Math.floor(place / w)];
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
      for (let ny = Math.max(0, y - 1); ny <= Math.min(h - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(w - 1, x + 1); nx++) {
          const next = ny * w + nx;
          if (isSeen[next] || !own[next] || lines[next]) continue;
          isSeen[next] = 1;
          places.push(next);
        }
    }
    const high = bottom - top;
    // A round corner reaches both of its sides.
    const isCorner = (left <= 1 || right >= w - 1) && (top <= 1 || bottom >= h - 1);
    if (isCorner || high < LETTER.least || high > LETTER.most || right - left > LETTER.most) continue;
    if (right - left < 2 || places.length < LETTER.ink) continue;
    letters++;
    for (const place of places) lines[place] = LETTER_PIXEL;
  }
  return letters;
}
