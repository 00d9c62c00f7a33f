import type { Pixels } from '../image/pixels.ts';
import type { Box } from './box.ts';

/** Difference of a channel that counts as changed in a picture with a codec's noise, and in one without. */
const NOISY = 32;
const CLEAN = 2;
/** Share of the pixels outside of all changes that may differ in a picture without noise. */
const CLEAN_SHARE = 0.001;

/**
 * Draws each box together around the pixels in it that differ, so that a changed digit has the box of its ink and not that
 * of the blocks it lies in. A box looks a block beyond itself: ink ends where a block's mean does not show it.
 */
export function tightened(boxes: readonly Box[], before: Pixels, after: Pixels, margin: number): Box[] {
  const wide = boxes.map((box) => ({
    x0: Math.max(0, box.x0 - margin),
    y0: Math.max(0, box.y0 - margin),
    x1: Math.min(after.width, box.x1 + margin),
    y1: Math.min(after.height, box.y1 + margin),
  }));
  const clear = isNoisy(wide, before, after) ? NOISY : CLEAN;
  return boxes.map((box, index) => {
    const threshold = Math.max(CLEAN, Math.min(clear, largestDifference(box, before, after) / 2));
    return around(wide[index] ?? box, before, after, threshold) ?? box;
  });
}

/** Whether the pictures differ all over, also where nothing has changed. */
function isNoisy(changes: readonly Box[], before: Pixels, after: Pixels): boolean {
  const { width, height } = after;
  // Row by row: of the whole picture a mask of the whole picture would take a third of what it takes.
  const isChange = new Uint8Array(width);
  let [outside, different] = [0, 0];
  const waiting = [...changes].sort((a, b) => b.y0 - a.y0);
  let here: Box[] = [];
  for (let y = 0; y < height; y++) {
    here = here.filter(({ y1 }) => y1 > y);
    for (let one = waiting.at(-1); one && one.y0 <= y; one = waiting.at(-1)) {
      here.push(one);
      waiting.pop();
    }
    isChange.fill(0);
    for (const { x0, x1 } of here) isChange.fill(1, x0, x1);
    for (let x = 0; x < width; x++) {
      if (isChange[x] === 1) continue;
      outside++;
      if (differenceAt(before, after, x, y) >= CLEAN) different++;
    }
  }
  return different > outside * CLEAN_SHARE;
}

function largestDifference(box: Box, before: Pixels, after: Pixels): number {
  let largest = 0;
  for (let y = box.y0; y < box.y1; y++)
    for (let x = box.x0; x < box.x1; x++) largest = Math.max(largest, differenceAt(before, after, x, y));
  return largest;
}

function around(wide: Box, before: Pixels, after: Pixels, threshold: number): Box | undefined {
  const box = { x0: wide.x1, y0: wide.y1, x1: wide.x0, y1: wide.y0 };
  for (let y = wide.y0; y < wide.y1; y++)
    for (let x = wide.x0; x < wide.x1; x++) {
      if (differenceAt(before, after, x, y) < threshold) continue;
      box.x0 = Math.min(box.x0, x);
      box.x1 = Math.max(box.x1, x + 1);
      box.y0 = Math.min(box.y0, y);
      box.y1 = Math.max(box.y1, y + 1);
    }
  return box.x1 > box.x0 ? box : undefined;
}

function differenceAt(before: Pixels, after: Pixels, x: number, y: number): number {
  const at = (y * after.width + x) * 3;
  let largest = 0;
  for (let channel = 0; channel < 3; channel++)
    largest = Math.max(
      largest,
      Math.abs((after.data[at + channel] as number) - (before.data[at + channel] as number)),
    );
  return largest;
}
