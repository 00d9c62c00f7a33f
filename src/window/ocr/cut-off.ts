import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';

/** By the height of digits: how near to them a part of them lies, and the widest gap between two segments. Pixels at least. */
const BEYOND = { share: 0.12, pixels: 2 };
const SEGMENT_GAP = { share: 0.06, pixels: 1 };
/** The same of a minus: how far before the digits it begins, its least width, and how far off the middle of the row it reaches. */
const MINUS = { reach: 1.3, least: 0.18, off: 0.13 };
/** How far the page around a display is from its ground at least, levels of a channel; and how wide it is between two displays, by the height of digits. */
const EDGE = 24;
const PAGE = { share: 0.1, pixels: 4 };

/**
 * Whether a box or its picture ends within a row of digits: close to them, up to a frame, ink goes on beyond the box, or
 * nothing is known, or before them stands a minus.
 *
 * @param digits around them and what stands beside them
 * @param levels the ground, and how far from it ink is at least, levels of a channel
 */
export function areCutOff(
  { width, height, data }: Pixels,
  box: Box,
  digits: Box,
  { ground, ink }: { ground: readonly number[]; ink: number },
): boolean {
  const high = digits.y1 - digits.y0;
  const by = ({ share, pixels }: typeof BEYOND) => Math.max(pixels, Math.ceil(share * high));
  const [reach, gap] = [by(BEYOND), by(SEGMENT_GAP)];
  const { x0, y0, x1, y1 } = digits;
  if (Math.min(x0, y0, width - x1, height - y1) <= gap) return true;
  const isInk = (x: number, y: number, least = ink) =>
    ground.some((level, c) => Math.abs((data[(y * width + x) * 3 + c] as number) - level) >= least);
  const [columns, rows] = [between(x0 - reach, x1 + reach, width), between(y0 - reach, y1 + reach, height)];
  const isFrame = {
    column: (x: number) => rows.every((y) => isInk(x, y)),
    row: (y: number) => columns.every((x) => isInk(x, y)),
  };
  // Up to a frame.
  const near = {
    left: until(between(x0 - reach, x0, width).reverse(), isFrame.column),
    right: until(between(x1, x1 + reach, width), isFrame.column),
    above: until(between(y0 - reach, y0, height).reverse(), isFrame.row),
    below: until(between(y1, y1 + reach, height), isFrame.row),
  };
  const [across, along] = [
    [...near.above, ...between(y0, y1, height), ...near.below],
    [...near.left, ...between(x0, x1, width), ...near.right],
  ];
  const beside = [...near.left, ...near.right].filter((x) => x < box.x0 || x >= box.x1);
  const above = [...near.above, ...near.below].filter((y) => y < box.y0 || y >= box.y1);
  if (beside.some((x) => across.some((y) => isInk(x, y)))) return true;
  if (above.some((y) => along.some((x) => isInk(x, y)))) return true;
  const isBar = (x: number) => {
    const inked = between(y0, y1, height).filter((y) => isInk(x, y));
    return inked.length > 0 && inked.every((y) => Math.abs(y + 0.5 - (y0 + y1) / 2) <= MINUS.off * high);
  };
  const isPage = (x: number) => rows.every((y) => isInk(x, y, EDGE)) && !isBar(x);
  let [run, page] = [0, 0];
  for (const x of between(x0 - Math.ceil(MINUS.reach * high), box.x0, width).reverse()) {
    if (isPage(x)) page++;
    // Beyond the page, on a ground like its own, begins another display.
    else if (page >= by(PAGE) && between(y0, y1, height).every((y) => !isInk(x, y, EDGE))) return false;
    else page = 0;
    run = isBar(x) ? run + 1 : 0;
    if (run >= MINUS.least * high) return true;
  }
  return false;
}

/** Those before the first one of which something is true. */
function until(places: readonly number[], isEnd: (place: number) => boolean): readonly number[] {
  const end = places.findIndex(isEnd);
  return end < 0 ? places : places.slice(0, end);
}

/** Whole numbers of a range, those within a picture. */
function between(from: number, to: number, end: number): number[] {
  const [first, last] = [Math.max(0, from), Math.min(end, to)];
  return Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
}
