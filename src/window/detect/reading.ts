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
/** Steps of comparing bands, their ground and their boxes: a table of 40 columns and 200 lines needs a fifth. */
const MOST_WORK = 8_000_000;

/** What may still be compared, and how many boxes were put in order line by line since nothing was left. */
export interface Work {
  left: number;
  unordered: number;
}

export const usualWork = (): Work => ({ left: MOST_WORK, unordered: 0 });

/**
 * Order in which one reads boxes that lie in one surface, as places in `boxes`. It is an XY-cut: parts that ground divides from top to
 * bottom or from side to side are read one after the other. Columns come before lines, unless their lines are those of a table.
 */
export function readingOrder(boxes: readonly Box[], work: Work = usualWork()): number[] {
  return cut(blocksOf(boxes), work).flatMap(({ members }) => members);
}

function cut(blocks: readonly Block[], work: Work): Block[] {
  if (blocks.length < 2) return [...blocks];
  work.left -= blocks.length;
  if (work.left < 0) {
    work.unordered += blocks.length;
    return byLines(blocks);
  }

  const bands = partsOf(blocks, 'y');
  if (bands.length === 1) {
    const columns = partsOf(blocks, 'x');
    return columns.length === 1 ? byLines(blocks) : columns.flatMap((column) => cut(column, work));
  }
  const all = bands.map((own) => new Band(own));
  const heights = [...new Set(blocks.map(heightOf))].sort((a, b) => a - b);
  const read: Block[] = [];
  for (let i = 0; i < bands.length; ) {
    const { count, sides } = columnsFrom(all, i, heights, work);
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

/** How the lines at both sides of a gap stand to each other. */
interface Sides {
  left: number;
  right: number;
  /** Lines of the left side at the height of one of the right side. */
  aligned: number;
}

const NO_LINES: Sides = { left: 0, right: 0, aligned: 0 };

/** Ground that goes on through several bands, and what stands beside it in all of them. */
interface Gap extends Span, Sides {}

/** Boxes with ground above and below them from side to side; what is asked of it again and again is counted once. */
class Band {
  readonly blocks: readonly Block[];
  /** From side to side, before, between and behind what stands in it. */
  readonly ground: readonly Span[];
  readonly #parts: Block[][];
  readonly #sides: (Sides | undefined)[] = [];

  constructor(blocks: readonly Block[]) {
    this.blocks = blocks;
    this.#parts = partsOf(blocks, 'x');
    const spans = this.#parts.map(bounds);
    this.ground = [...spans, undefined].map((span, i) => ({
      from: spans[i - 1]?.x1 ?? Number.NEGATIVE_INFINITY,
      to: span?.x0 ?? Number.POSITIVE_INFINITY,
    }));
  }

  /** What stands at both sides of the ground with a number. */
  sides(number: number, work: Work): Sides {
    const known = this.#sides[number];
    if (known) return known;
    work.left -= this.blocks.length;
    const [left, right] = [this.#parts.slice(0, number), this.#parts.slice(number)].map((side) =>
      partsOf(side.flat(), 'y').map(bounds),
    ) as [Box[], Box[]];
    const sides = { left: left.length, right: right.length, aligned: alignedIn(left, right) };
    this.#sides[number] = sides;
    return sides;
  }
}

/** How many bands from one on lie in two columns that are no table, and these columns; else the one band. */
function columnsFrom(
  bands: readonly Band[],
  first: number,
  allHeights: readonly number[],
  work: Work,
): { count: number; sides?: [Block[], Block[]] } {
  let gaps: Gap[] = [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, ...NO_LINES }];
  let best: { count: number; at: Span } | undefined;
  const heights = new Heights(allHeights);
  for (let i = first; i < bands.length; i++) {
    const band = bands[i] as Band;
    work.left -= band.blocks.length + gaps.length;
    if (work.left < 0) {
      // Those of larger bands are counted where they are cut.
      if (i === first && band.blocks.length === 1) work.unordered++;
      break;
    }
    for (const block of band.blocks) heights.add(heightOf(block));
    const least = COLUMN_GAP * heights.median();
    gaps = gapsWithin(gaps, band, least, work);
    if (gaps.length === 0) break;
    // The first line of a column may stand alone: a later band can part the ground beside it.
    if (i === first) continue;
    let widest: Gap | undefined;
    for (const gap of gaps)
      if (Number.isFinite(gap.from) && Number.isFinite(gap.to) && (!widest || widthOf(gap) > widthOf(widest)))
        widest = gap;
    if (widest && !isTable(widest)) best = { count: i - first + 1, at: widest };
  }
  if (!best) return { count: 1 };
  const { count, at } = best;
  const blocks = bands.slice(first, first + count).flatMap((band) => band.blocks);
  return {
    count,
    sides: [blocks.filter(({ x1 }) => x1 <= at.from), blocks.filter(({ x0 }) => x0 >= at.to)],
  };
}

const heightOf = ({ y0, y1 }: Box): number => y1 - y0;
const widthOf = ({ from, to }: Span): number => to - from;

/** The middle one of heights that come one after the other: of an even number the upper one. */
class Heights {
  readonly #all: readonly number[];
  readonly #counts: Uint32Array;
  /** Place of the middle one in `all`, and how many are lower than that. */
  #middle = 0;
  #below = 0;
  #count = 0;

  /** @param all those that may come, from the lowest on */
  constructor(all: readonly number[]) {
    this.#all = all;
    this.#counts = new Uint32Array(all.length);
  }

  add(height: number): void {
    let [from, to] = [0, this.#all.length - 1];
    while (from < to) {
      const at = (from + to) >> 1;
      if ((this.#all[at] as number) < height) from = at + 1;
      else to = at;
    }
    this.#counts[from] = this.#countAt(from) + 1;
    this.#count++;
    if (from < this.#middle) this.#below++;
  }

  median(): number {
    const before = this.#count >> 1;
    while (this.#below > before) this.#below -= this.#countAt(--this.#middle);
    while (this.#below + this.#countAt(this.#middle) <= before) this.#below += this.#countAt(this.#middle++);
    return this.#all[this.#middle] as number;
  }

  #countAt(place: number): number {
    return this.#counts[place] as number;
  }
}

/** Ground of a band within the ground of those before, as wide as this at least; both from left to right. */
function gapsWithin(gaps: readonly Gap[], band: Band, least: number, work: Work): Gap[] {
  const within: Gap[] = [];
  let next = 0;
  for (const gap of gaps) {
    while ((band.ground[next]?.to ?? Number.POSITIVE_INFINITY) <= gap.from) next++;
    for (let k = next; k < band.ground.length && (band.ground[k] as Span).from < gap.to; k++) {
      const ground = band.ground[k] as Span;
      const [from, to] = [Math.max(ground.from, gap.from), Math.min(ground.to, gap.to)];
      if (to <= from || to - from < least) continue;
      const { left, right, aligned } = band.sides(k, work);
      within.push({
        from,
        to,
        left: gap.left + left,
        right: gap.right + right,
        aligned: gap.aligned + aligned,
      });
    }
  }
  return within;
}

/** Whether the lines of two columns are at the same heights. */
const isTable = ({ left, right, aligned }: Sides): boolean => aligned >= ALIGNED * Math.min(left, right);

/** Lines of one column at the height of one of another. Both go from top to bottom, and no two lines of one column overlap. */
function alignedIn(one: readonly Box[], two: readonly Box[]): number {
  let next = 0;
  return one.filter((a) => {
    while (next < two.length && (two[next] as Box).y1 <= a.y0) next++;
    for (let k = next; k < two.length && (two[k] as Box).y0 < a.y1; k++) {
      const b = two[k] as Box;
      if (Math.abs(a.y0 + a.y1 - b.y0 - b.y1) / 2 <= SAME_HEIGHT * Math.min(a.y1 - a.y0, b.y1 - b.y0))
        return true;
    }
    return false;
  }).length;
}

const bounds = (blocks: readonly Box[]): Box =>
  blocks.reduce((all, { x0, y0, x1, y1 }) => ({
    x0: Math.min(all.x0, x0),
    y0: Math.min(all.y0, y0),
    x1: Math.max(all.x1, x1),
    y1: Math.max(all.y1, y1),
  }));

/** What no ground divides: lines from top to bottom, each from left to right. */
function byLines(blocks: readonly Block[]): Block[] {
  const lines: { y0: number; y1: number; blocks: Block[] }[] = [];
  /** Those that a block further down may still be of. */
  let open: typeof lines = [];
  for (const block of [...blocks].sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0)) {
    const { y0, y1 } = block;
    open = open.filter((other) => other.y1 > y0);
    const line = open.find((other) => {
      const shared = Math.min(y1, other.y1) - Math.max(y0, other.y0);
      return shared >= BESIDE * Math.min(y1 - y0, other.y1 - other.y0);
    });
    if (line) line.blocks.push(block);
    else {
      const own = { y0, y1, blocks: [block] };
      lines.push(own);
      open.push(own);
    }
  }
  return lines.flatMap((line) => line.blocks.sort((a, b) => a.x0 - b.x0 || a.y0 - b.y0));
}
