import { BoxIndex } from './box-index.ts';
import type { Box } from './element.ts';

/** Boxes that stay together: a large value, its unit and its name. */
export interface Block extends Box {
  /** Places of its boxes, in the order in which one reads them. */
  members: number[];
}

/** A value is so many times as high as its unit or its name at least. */
const LARGER = 1.35;
/** Of the height of a value: how far away its unit, and its name above or below, are at most. */
const UNIT_GAP = 0.7;
const NAME_GAP = 0.8;
/** Share of the narrower of a value and its name that lies above the other. */
const ABOVE = 0.5;
/** Times as wide as high: wider boxes are lines of text. Times as wide as its value: a wider one is no name. */
const WIDEST_VALUE = 6;
const WIDEST_NAME = 3;
/** Higher boxes are panels and pictures, no values. Pixels. */
const HIGHEST_VALUE = 120;

/** Joins large values with their units and names; what is of one height, as lines of text are, stays apart. */
export function blocksOf(boxes: readonly Box[]): Block[] {
  const single: Block[] = boxes.map((box, i) => ({ ...box, members: [i] }));
  const withUnits = joined(single, (value, other) => {
    const shared = Math.min(value.y1, other.y1) - Math.max(value.y0, other.y0);
    const gap = other.x0 - value.x1;
    if (shared < 0.5 * heightOf(other) || gap < 0 || gap > UNIT_GAP * heightOf(value)) return undefined;
    return gap;
  });
  return joined(withUnits, (value, other) => {
    const shared = Math.min(value.x1, other.x1) - Math.max(value.x0, other.x0);
    const gap = Math.max(value.y0 - other.y1, other.y0 - value.y1);
    const narrower = Math.min(widthOf(value), widthOf(other));
    if (widthOf(other) > WIDEST_NAME * widthOf(value)) return undefined;
    if (shared < ABOVE * narrower || gap < 0 || gap > NAME_GAP * heightOf(value)) return undefined;
    // A name is above its value more often than below it.
    return gap + (other.y0 > value.y0 ? heightOf(value) : 0);
  });
}

const widthOf = ({ x0, x1 }: Box): number => x1 - x0;
const heightOf = ({ y0, y1 }: Box): number => y1 - y0;

/** Joins each value with the nearest of the smaller blocks that fit. @param distance undefined: they do not fit */
function joined(
  blocks: readonly Block[],
  distance: (value: Block, other: Block) => number | undefined,
): Block[] {
  const pairs: { value: number; other: number; apart: number }[] = [];
  const index = new BoxIndex(blocks);
  blocks.forEach((value, v) => {
    const height = heightOf(value);
    if (height > HIGHEST_VALUE || widthOf(value) > WIDEST_VALUE * height) return;
    const { x0, y0, x1, y1 } = value;
    const around = { x0: x0 - height, y0: y0 - height, x1: x1 + height, y1: y1 + height };
    index.forEach(around, (o) => {
      const other = blocks[o] as Block;
      if (heightOf(value) < LARGER * heightOf(other)) return;
      const apart = distance(value, other);
      if (apart !== undefined) pairs.push({ value: v, other: o, apart });
    });
  });
  pairs.sort((a, b) => a.apart - b.apart || a.value - b.value || a.other - b.other);
  const isTaken = new Set<number>();
  const result = new Map(blocks.entries());
  for (const { value, other } of pairs) {
    if (isTaken.has(value) || isTaken.has(other)) continue;
    isTaken.add(value).add(other);
    const [one, two] = [blocks[value] as Block, blocks[other] as Block];
    const isFirst = two.y1 <= one.y0;
    result.delete(other);
    result.set(value, {
      x0: Math.min(one.x0, two.x0),
      y0: Math.min(one.y0, two.y0),
      x1: Math.max(one.x1, two.x1),
      y1: Math.max(one.y1, two.y1),
      members: isFirst ? [...two.members, ...one.members] : [...one.members, ...two.members],
    });
  }
  return [...result.values()];
}
