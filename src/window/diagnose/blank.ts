import type { Pixels } from '../image/pixels.ts';

/** Levels by which a pixel may be away from the one colour. */
const RANGE = 8;
const SMALLEST_SIDE = 2;

/** Whether an image shows nothing: one colour, whichever, or no two pixels beside each other (section 2, `blank_image`). */
export function isBlank({ width, height, data }: Pixels): boolean {
  if (width < SMALLEST_SIDE || height < SMALLEST_SIDE) return true;
  // Within 8 of one colour: no channel spreads over more than 16. Every pixel, since one line of text is not blank.
  for (let channel = 0; channel < 3; channel++) {
    let low = data[channel] as number;
    let high = low;
    for (let at = channel; at < data.length; at += 3) {
      const value = data[at] as number;
      if (value < low) low = value;
      else if (value > high) high = value;
      if (high - low > 2 * RANGE) return false;
    }
  }
  return true;
}
