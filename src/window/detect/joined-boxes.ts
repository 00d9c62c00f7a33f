import { BoxIndex } from './box-index.ts';
import type { Candidate } from './candidates.ts';

/** Heights of controls. Pixels. */
const HEIGHT = { least: 16, most: 72 };
/** Widest line between two parts, and how far their edges may differ. Pixels. */
const JOINT = 2;
const ALIKE = 1;
/** Of a part with a sign: its width by its height, and by that of the other part. */
const NARROW = 1.6;
const SHARE = 0.6;

/**
 * Areas of two colours that may be one control: a button with its icon, or its arrow, on a ground of its own.
 *
 * @param boxes areas of one colour each @returns a candidate for each two that touch side by side, as the larger of them
 */
export function joinedBoxes(boxes: readonly Candidate[]): Candidate[] {
  const parts = boxes.filter(({ y0, y1 }) => y1 - y0 >= HEIGHT.least && y1 - y0 <= HEIGHT.most);
  const index = new BoxIndex(parts);
  return parts.flatMap((left) => {
    const joined: Candidate[] = [];
    const beside = { x0: left.x1, y0: left.y0, x1: left.x1 + JOINT + 1, y1: left.y1 };
    index.forEach(beside, (i) => {
      const right = parts[i] as Candidate;
      const gap = right.x0 - left.x1;
      if (gap < 0 || gap > JOINT) return;
      if (Math.abs(left.y0 - right.y0) > ALIKE || Math.abs(left.y1 - right.y1) > ALIKE) return;
      const [small, large] = widthOf(left) < widthOf(right) ? [left, right] : [right, left];
      if (widthOf(small) > NARROW * (small.y1 - small.y0) || widthOf(small) > SHARE * widthOf(large)) return;
      joined.push({
        ...large,
        x0: left.x0,
        y0: Math.min(left.y0, right.y0),
        x1: right.x1,
        y1: Math.max(left.y1, right.y1),
      });
    });
    return joined.sort((one, other) => one.x1 - other.x1 || one.y0 - other.y0);
  });
}

const widthOf = ({ x0, x1 }: Candidate): number => x1 - x0;
