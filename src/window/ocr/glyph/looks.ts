import type { Box } from '../../detect/element.ts';
import type { Contrast } from '../contrast.ts';
import { INK } from './atoms.ts';
import type { SeenLine } from './read-line.ts';
import type { Measure } from './view.ts';

/** What the picture shows of each letter besides its sign. */
export function addLooks({ letters, measure }: SeenLine, ink: Contrast): void {
  letters.forEach((letter, i) => {
    const next = letters[i + 1];
    letter.hasBar = hasBar(ink, letter.box, measure, letter.box.y0);
    letter.hasFoot = hasBar(ink, letter.box, measure, letter.box.y1 - Math.ceil(BAR.high * measure.height));
    letter.isParted = isParted(ink, letter.box);
    letter.isWavy = isWavy(ink, letter.box, measure);
    if (!next) return;
    letter.after = inkBetween(ink, letter.box, next.box, measure);
    letter.apart = gapBetween(ink, letter.box, next.box, measure);
    letter.foot = inkAtFeet(ink, letter.box, next.box, measure);
  });
}

/** By the height of the digits: the feet, and the soft edges of letters. */
const FEET = [0.28, 0.06] as const;
const SOFT_EDGE = 0.09;

function inkBetween(
  { width, data }: Contrast,
  { x1 }: Box,
  { x0 }: Box,
  { baseline, height }: Measure,
): number {
  let most = 0;
  for (let y = Math.floor(baseline - FEET[0] * height); y < baseline + FEET[1] * height; y++)
    for (let x = Math.ceil(x1 + SOFT_EDGE * height); x < x0 - SOFT_EDGE * height; x++)
      most = Math.max(most, data[y * width + x] ?? 0);
  return most;
}

/** By the height of the digits, above their feet: rows of a point, of the stems of digits, and up to their tops. */
const POINT = [-0.06, 0.17] as const;
const STEMS = [0.26, 0.62] as const;
const TOP = 1.05;
/** By the height of the digits: a narrower stem is that of a 1, whose serifs are alike at both sides; and the soft edges of strokes. */
const STEM = 0.42;
const SOFT_STROKE = 0.08;
/** By the height of the digits: the feet of a 2 and of a slanted digit reach so far to the left of the rest. */
const FOOT = 0.1;

/** Strongest ink between the feet of two letters, where neither has a stroke above: a point that touches one of them. */
function inkAtFeet({ width, height: rows, data }: Contrast, one: Box, next: Box, measure: Measure): number {
  const { baseline, height } = measure;
  const [y0, y1] = ([POINT[1], POINT[0]] as const).map((up) =>
    Math.max(0, Math.min(rows, Math.round(baseline - up * height))),
  ) as [number, number];
  const columnsIn = ({ x0, x1 }: Box, from: number, to: number): [least: number, most: number] => {
    let [least, most] = [x1, x0];
    const end = Math.min(rows, Math.round(baseline - from * height));
    for (let y = Math.max(0, Math.round(baseline - to * height)); y < end; y++)
      for (let x = x0; x < x1; x++) {
        if ((data[y * width + x] as number) < INK) continue;
        least = Math.min(least, x);
        most = Math.max(most, x + 1);
      }
    return [least, most];
  };
  const [left, right] = [columnsIn(one, ...STEMS), columnsIn(next, ...STEMS)];
  let [from, to] = [left[1], columnsIn(next, STEMS[0], TOP)[0]];
  if (left[1] - left[0] < STEM * height)
    from = Math.max(from, left[1] + left[0] - columnsIn(one, ...POINT)[0]);
  if (right[1] - right[0] < STEM * height)
    to = Math.min(to, right[0] + right[1] - columnsIn(next, ...POINT)[1]);
  let most = 0;
  for (let y = y0; y < y1; y++)
    for (let x = Math.ceil(from + SOFT_STROKE * height); x < to - FOOT * height; x++)
      most = Math.max(most, data[y * width + x] as number);
  return most;
}

/** Rows of a bar by the height of the digits, and its width by that of its letter. */
const BAR = { high: 0.12, wide: 0.85 };

/** @param from the first row of those that may have it */
function hasBar({ width, data }: Contrast, { x0, x1 }: Box, { height }: Measure, from: number): boolean {
  const least = BAR.wide * (x1 - x0);
  for (let y = Math.max(0, from); y < from + Math.ceil(BAR.high * height); y++)
    for (let x = x0, run = 0; x < x1; x++) {
      run = (data[y * width + x] as number) >= INK ? run + 1 : 0;
      if (run >= least) return true;
    }
  return false;
}

function isParted({ width, data }: Contrast, { x0, x1, y0, y1 }: Box): boolean {
  for (let x = x0; x < x1; x++) {
    let most = 0;
    for (let y = y0; y < y1; y++) most = Math.max(most, data[y * width + x] as number);
    if (most < INK) return true;
  }
  return false;
}

/**
 * By the height of the digits: how much lower the ink of a tilde's second half lies, how much the rows of its columns differ then, and
 * how much they differ in a tilde of small type whatever its halves do. In a minus that is worn one of the two is less.
 */
const FALLS = 0.004;
const UNEVEN = [0.004, 0.02] as const;
/** By the height of the digits: the soft ends of a stroke. */
const SOFT_END = 0.06;

function isWavy({ width, height: rows, data }: Contrast, box: Box, { height }: Measure): boolean {
  const [y0, y1] = [Math.max(0, box.y0 - 2), Math.min(rows, box.y1 + 2)];
  const middleOf = (from: number, to: number): number => {
    let [sum, weight] = [0, 0];
    for (let y = y0; y < y1; y++)
      for (let x = from; x < to; x++) {
        const ink = data[y * width + x] as number;
        sum += ink * y;
        weight += ink;
      }
    return sum / Math.max(1, weight);
  };
  const half = (box.x1 - box.x0) >> 1;
  const falls = middleOf(box.x1 - half, box.x1) - middleOf(box.x0, box.x0 + half) > FALLS * height;
  const end = Math.round(SOFT_END * height);
  const middles = Array.from({ length: Math.max(0, box.x1 - box.x0 - 2 * end) }, (_, i) =>
    middleOf(box.x0 + end + i, box.x0 + end + i + 1),
  );
  const uneven = middles.length === 0 ? 0 : Math.max(...middles) - Math.min(...middles);
  return uneven > (falls ? UNEVEN[0] : UNEVEN[1]) * height;
}

/** By the height of the digits: rows that are about the same. */
const SAME_ROWS = 0.12;

function gapBetween({ width, data }: Contrast, one: Box, next: Box, { height }: Measure): number {
  const isInk = (x: number, y: number) => (data[y * width + x] as number) >= INK;
  const reach = Math.round(SAME_ROWS * height);
  let least = Number.POSITIVE_INFINITY;
  for (let y = one.y0; y < one.y1; y++) {
    let end = one.x1;
    while (end > one.x0 && !isInk(end - 1, y)) end--;
    if (end === one.x0) continue;
    for (let row = Math.max(next.y0, y - reach); row < Math.min(next.y1, y + reach + 1); row++) {
      let from = next.x0;
      while (from < next.x1 && !isInk(from, row)) from++;
      if (from < next.x1) least = Math.min(least, from - end);
    }
  }
  return Number.isFinite(least) ? least : next.x0 - one.x1;
}
