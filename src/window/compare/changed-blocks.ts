import { type BlockMap, CHROMA_BLOCKS } from '../fingerprint/block-map.ts';
import type { Box } from './box.ts';

/*
 * Levels of 0..255, by which the mean of a block of 4 x 4 pixels differs. Measured on screens saved again: JPEG of quality
 * 90 differs by 7 at most where there is text and by 1 where it is flat, quality 75 by 11; one inverted pixel by 16. One
 * digit of 12 px differs by 30 and more.
 */
/** Changed, whatever is around it. */
const STRONG = 18;
/** Changed where there is structure, when enough of them hang together. */
const WEAK = 10;
const WEAK_BLOCKS = 2;
/** The same where both images are flat: a codec leaves flat areas alone. */
const FLAT = 3;
const FLAT_BLOCKS = 6;
/** Range of the neighbourhood up to which a block counts as flat. */
const FLAT_RANGE = 4;
/** Colour alone, of an area of 4 x 4 blocks; a codec stays below 8. */
const COLOUR = 14;

const NONE = 0;
const SOME = 1;
const SOME_FLAT = 2;
const SURE = 3;

export interface ChangedBlocks {
  /** 1 for each block that belongs to a change. */
  mask: Uint8Array;
  /** Around each connected change, pixels. */
  boxes: Box[];
}

/** The blocks that differ by more than noise. Both maps are of images of one size. */
export function changedBlocks(before: BlockMap, after: BlockMap): ChangedBlocks {
  const { columns, rows, size, width, height } = after;
  const levels = levelsOf(before, after);
  const mask = new Uint8Array(levels.length);
  const boxes: Box[] = [];
  const seen = new Uint8Array(levels.length);
  for (let start = 0; start < levels.length; start++) {
    if (seen[start] === 1 || levels[start] === NONE) continue;
    const members = connected(levels, seen, start, columns, rows);
    if (!isChange(members, levels)) continue;
    const box = { x0: columns, y0: rows, x1: 0, y1: 0 };
    for (const index of members) {
      mask[index] = 1;
      const [x, y] = [index % columns, Math.floor(index / columns)];
      box.x0 = Math.min(box.x0, x);
      box.x1 = Math.max(box.x1, x + 1);
      box.y0 = Math.min(box.y0, y);
      box.y1 = Math.max(box.y1, y + 1);
    }
    boxes.push({
      x0: box.x0 * size,
      y0: box.y0 * size,
      x1: Math.min(width, box.x1 * size),
      y1: Math.min(height, box.y1 * size),
    });
  }
  return { mask, boxes };
}

function levelsOf(before: BlockMap, after: BlockMap): Uint8Array {
  const { columns, luma } = after;
  const levels = new Uint8Array(luma.length);
  for (let index = 0; index < luma.length; index++) {
    const difference = Math.abs(at(luma, index) - at(before.luma, index));
    const x = index % columns;
    const y = Math.floor(index / columns);
    if (difference >= STRONG) levels[index] = SURE;
    else if (difference >= WEAK) levels[index] = SOME;
    else if (difference >= FLAT && isFlat(before, x, y) && isFlat(after, x, y)) levels[index] = SOME_FLAT;
  }
  markColours(before, after, levels);
  return levels;
}

/** A change of colour is known by areas; in such an area it lies where the light changed too, or else anywhere. */
function markColours(before: BlockMap, after: BlockMap, levels: Uint8Array): void {
  const { columns, rows, luma, chromaColumns, cb, cr } = after;
  for (let area = 0; area < cb.length; area++) {
    const difference = Math.max(
      Math.abs(at(cb, area) - at(before.cb, area)),
      Math.abs(at(cr, area) - at(before.cr, area)),
    );
    if (difference < COLOUR) continue;
    const x0 = (area % chromaColumns) * CHROMA_BLOCKS;
    const y0 = Math.floor(area / chromaColumns) * CHROMA_BLOCKS;
    const blocks: number[] = [];
    for (let y = y0; y < Math.min(rows, y0 + CHROMA_BLOCKS); y++)
      for (let x = x0; x < Math.min(columns, x0 + CHROMA_BLOCKS); x++) blocks.push(y * columns + x);
    const lit = blocks.filter((index) => Math.abs(at(luma, index) - at(before.luma, index)) >= FLAT);
    for (const index of lit.length > 0 ? lit : blocks) levels[index] = SURE;
  }
}

function isChange(members: readonly number[], levels: Uint8Array): boolean {
  if (members.some((index) => levels[index] === SURE)) return true;
  if (members.filter((index) => levels[index] === SOME).length >= WEAK_BLOCKS) return true;
  return members.length >= FLAT_BLOCKS && members.some((index) => levels[index] === SOME_FLAT);
}

function isFlat({ luma, columns, rows }: BlockMap, x: number, y: number): boolean {
  let [low, high] = [255, 0];
  for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column++) {
      const value = at(luma, row * columns + column);
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  return high - low <= FLAT_RANGE;
}

/** Blocks that touch each other, also by their corners. */
function connected(
  levels: Uint8Array,
  seen: Uint8Array,
  start: number,
  columns: number,
  rows: number,
): number[] {
  const members = [start];
  seen[start] = 1;
  for (let next = 0; next < members.length; next++) {
    const index = members[next] as number;
    const [x, y] = [index % columns, Math.floor(index / columns)];
    for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column++) {
        const other = row * columns + column;
        if (seen[other] === 1 || levels[other] === NONE) continue;
        seen[other] = 1;
        members.push(other);
      }
  }
  return members;
}

const at = (plane: Uint8Array, index: number): number => plane[index] as number;
