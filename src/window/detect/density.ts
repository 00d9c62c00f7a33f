import type { Scene } from './candidates.ts';

/** Heights of ink that may be a letter, pixels, and how often as wide as high it may be. */
const LETTER = { least: 4, most: 60, widest: 3 };
/** Fewer say nothing about a screen. */
const LEAST_LETTERS = 50;
/** Most of a screen's letters are small ones; those below them are points and strokes. */
const SMALL = 0.3;
/** Height of the small letters of usual screens, pixels: 8 or 9 of most. */
const USUAL_HEIGHT = 8.5;
/** Letters up to so many times the usual height are those of a screen with large type. */
const LARGE_TYPE = 1.37;
/**
 * Those of displays: a size between two of them is that of a page's type, and whole ones keep its edges sharp. On denser displays
 * letters are then at most as high as large type.
 */
const DENSITIES = [1.5, 2, 3];

/**
 * Pixels of an image for each one that the detector was made for, estimated by the height of its small letters: 1 for usual screens,
 * 2 for a display that is twice as dense. A screen on which something small is written has 1, whatever else it shows.
 */
export function densityOf({ ink, isLine }: Scene): number {
  const heights: number[] = [];
  for (let l = 0; l < ink.count; l++) {
    const width = (ink.x1[l] as number) - (ink.x0[l] as number);
    const height = (ink.y1[l] as number) - (ink.y0[l] as number);
    if (isLine[l] || height < LETTER.least || height > LETTER.most) continue;
    if (width >= 2 && width <= LETTER.widest * height) heights.push(height);
  }
  if (heights.length < LEAST_LETTERS) return 1;
  heights.sort((a, b) => a - b);
  const ratio = (heights[Math.floor(SMALL * heights.length)] as number) / USUAL_HEIGHT;
  if (ratio < LARGE_TYPE) return 1;
  return DENSITIES.reduce((best, one) => (Math.abs(one - ratio) < Math.abs(best - ratio) ? one : best));
}
