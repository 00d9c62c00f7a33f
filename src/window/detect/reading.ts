import type { Box } from './element.ts';
import { type Block, blocksOf } from './reading-blocks.ts';

/** Least width of the ground between two columns, by the median height of what is in them. */
const COLUMN_GAP = 1.5;
/** Share of the lines of the shorter of two columns that are at the height of one beside them: then it is a table or a form. */
const ALIGNED = 0.7;
/** Two lines are at one height when their middles are no further apart, by the lower of them. */
const SAME_HEIGHT = 0.35;
/** Share of the lower of two boxes that lies beside the other for both to be of one line. */
const BESIDE = 0.5;
/** Comparisons of boxes: a page of 2,000 elements needs a tenth. */
const MOST_WORK = 2_000_000;

/**
 * Order in which one reads boxes that lie in one surface, as places in `boxes`. It is an XY-cut: parts that ground divides from top to
 * bottom or from side to side are read one after the other. Columns come before lines, unless their lines are those of a table.
 */
export function readingOrder(boxes: readonly Box[], work: Work = { left: MOST_WORK }): number[] {
  return cut(blocksOf(boxes), work).flatMap(({ members }) => members);
}

/** Boxes that may still be compared: what is left then is read line by line. */
export interface Work {
  left: number;
}

function cut(blocks: readonly Block[], work: Work): Block[] {
  if (blocks.length < 2) return [...blocks];
  work.left -= blocks.length;
  if (work.left < 0) return byLines(blocks);

  const bands = partsOf(blocks, 'y');
  if (bands.length === 1) {
    const columns = partsOf(blocks, 'x');
    return columns.length === 1 ? byLines(blocks) : columns.flatMap((column) => cut(column, work));
  }
  const read: Block[] = [];
  for (let i = 0; i < bands.length; ) {
    const { count, sides } = columnsFrom(bands, i, work);
    if (sides) read.push(...sides.flatMap((side) => cut(side, work)));
    else read.push(...cut(bands[i] as Block[], work));
    i += count;
  }
  return read;
}

interface Span {
  from: number;
  to: number;
}

const spanOf = ({ x0, y0, x1, y1 }: Box, axis: 'x' | 'y'): Span =>
  axis === 'x' ? { from: x0, to: x1 } : { from: y0, to: y1 };

/** Parts between which ground goes from side to side (`y`) or from top to bottom (`x`), in their order. */
function partsOf(blocks: readonly Block[], axis: 'x' | 'y'): Block[][] {
  const sorted = [...blocks].sort(
    (a, b) => spanOf(a, axis).from - spanOf(b, axis).from || a.x0 - b.x0 || a.y0 - b.y0,
  );
  const parts: Block[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const block of sorted) {
    const { from, to } = spanOf(block, axis);
    if (from >= end) parts.push([]);
    parts.at(-1)?.push(block);
    end = Math.max(end, to);
  }
  return parts;
}

/** How many bands from one on lie in two columns that are no table, and these columns; else the one band. */
function columnsFrom(
  bands: readonly Block[][],
  first: number,
  work: Work,
): { count: number; sides?: [Block[], Block[]] } {
  let gaps: Span[] = [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];
  let best: { count: number; sides?: [Block[], Block[]] } = { count: 1 };
  const blocks: Block[] = [];
  for (let i = first; i < bands.length; i++) {
    blocks.push(...(bands[i] as Block[]));
    work.left -= blocks.length;
    if (work.left < 0) break;

    const least = COLUMN_GAP * medianHeight(blocks);
    gaps = gapsWithin(gaps, bands[i] as Block[]).filter(({ from, to }) => to - from >= least);
    const inner = gaps.filter((gap) => Number.isFinite(gap.from) && Number.isFinite(gap.to));
    const [widest] = inner.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
    if (gaps.length === 0) break;
    // The first line of a column may stand alone: a later band can part the ground beside it.
    if (!widest || i === first) continue;
    const left = blocks.filter(({ x1 }) => x1 <= widest.from);
    const right = blocks.filter(({ x0 }) => x0 >= widest.to);
    if (!isTable(left, right)) best = { count: i - first + 1, sides: [left, right] };
  }
  return best;
}

/** Ground of a band within the ground of those before. */
function gapsWithin(gaps: readonly Span[], band: readonly Block[]): Span[] {
  const spans = partsOf(band, 'x').map((part) => ({
    from: Math.min(...part.map(({ x0 }) => x0)),
    to: Math.max(...part.map(({ x1 }) => x1)),
  }));
  const edges = [
    Number.NEGATIVE_INFINITY,
    ...spans.flatMap(({ from, to }) => [from, to]),
    Number.POSITIVE_INFINITY,
  ];
  const ground = spans.concat({ from: 0, to: 0 }).map((_, i) => ({
    from: edges[2 * i] as number,
    to: edges[2 * i + 1] as number,
  }));
  return gaps.flatMap((gap) =>
    ground
      .map(({ from, to }) => ({ from: Math.max(from, gap.from), to: Math.min(to, gap.to) }))
      .filter(({ from, to }) => to > from),
  );
}

/** Whether the lines of two columns are at the same heights. */
function isTable(left: readonly Block[], right: readonly Block[]): boolean {
  const [one, two] = [partsOf(left, 'y').map(bounds), partsOf(right, 'y').map(bounds)];
  // Both go from top to bottom, and no two lines of one column overlap.
  let next = 0;
  const aligned = one.filter((a) => {
    while (next < two.length && (two[next] as Box).y1 <= a.y0) next++;
    for (let k = next; k < two.length && (two[k] as Box).y0 < a.y1; k++) {
      const b = two[k] as Box;
      if (Math.abs(a.y0 + a.y1 - b.y0 - b.y1) / 2 <= SAME_HEIGHT * Math.min(a.y1 - a.y0, b.y1 - b.y0))
        return true;
    }
    return false;
  });
  return aligned.length >= ALIGNED * Math.min(one.length, two.length);
}

const bounds = (blocks: readonly Box[]): Box =>
  blocks.reduce((all, { x0, y0, x1, y1 }) => ({
    x0: Math.min(all.x0, x0),
    y0: Math.min(all.y0, y0),
    x1: Math.max(all.x1, x1),
    y1: Math.max(all.y1, y1),
  }));

function medianHeight(blocks: readonly Block[]): number {
  const heights = blocks.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b);
  return heights[heights.length >> 1] as number;
}

/** What no ground divides: lines from top to bottom, each from left to right. */
function byLines(blocks: readonly Block[]): Block[] {
  const lines: { y0: number; y1: number; blocks: Block[] }[] = [];
  for (const block of [...blocks].sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0)) {
    const { y0, y1 } = block;
    const line = lines.find((other) => {
      const shared = Math.min(y1, other.y1) - Math.max(y0, other.y0);
      return shared >= BESIDE * Math.min(y1 - y0, other.y1 - other.y0);
    });
    if (line) line.blocks.push(block);
    else lines.push({ y0, y1, blocks: [block] });
  }
  return lines.flatMap((line) => line.blocks.sort((a, b) => a.x0 - b.x0 || a.y0 - b.y0));
}
