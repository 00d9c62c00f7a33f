import type { Box } from './element.ts';

/** Sides of the smallest cells, and how many times they double. Pixels. */
const SMALLEST = 64;
const LEVELS = 10;
/** More than a row of cells has. */
const STRIDE = 1 << 20;

/**
 * Boxes by their place, so that those near another box are found without asking all of them.
 *
 * Grids lie over each other, each with cells twice as wide as those of the one before. A box is in the first whose cells are as wide as
 * it is, and so in four of them at most.
 */
export class BoxIndex {
  readonly #boxes: readonly Box[];
  readonly #levels: Map<number, number[]>[] = [];

  /** @param indices those of the boxes that are looked for; all when left out */
  constructor(boxes: readonly Box[], indices: Iterable<number> = boxes.keys()) {
    this.#boxes = boxes;
    for (const i of indices) this.add(i);
  }

  /** @param i index of a box that is there by now, and is looked for from here on */
  add(i: number): void {
    const box = this.#boxes[i] as Box;
    const level = levelOf(Math.max(box.x1 - box.x0, box.y1 - box.y0));
    const cells = this.#levels[level] ?? new Map<number, number[]>();
    this.#levels[level] = cells;
    const [x0, y0, x1, y1] = cellsOf(box, level);
    for (let y = y0; y <= y1; y++)
      for (let x = x0; x <= x1; x++) {
        const cell = cells.get(y * STRIDE + x);
        if (cell) cell.push(i);
        else cells.set(y * STRIDE + x, [i]);
      }
  }

  /**
   * Whether a box in the cells of an area passes a test: each is tested once, in no certain order, and not all of them touch the area.
   *
   * @param area may be without extent: a point
   */
  some(area: Box, test: (i: number) => boolean): boolean {
    for (let level = 0; level < this.#levels.length; level++) {
      const cells = this.#levels[level];
      if (!cells) continue;
      const [x0, y0, x1, y1] = cellsOf(area, level);
      if ((x1 - x0 + 1) * (y1 - y0 + 1) > cells.size) {
        for (const [key, cell] of cells) {
          const [x, y] = [key % STRIDE, Math.floor(key / STRIDE)];
          if (x >= x0 && x <= x1 && y >= y0 && y <= y1 && this.#someIn(cell, level, x, y, x0, y0, test))
            return true;
        }
        continue;
      }
      for (let y = y0; y <= y1; y++)
        for (let x = x0; x <= x1; x++) {
          const cell = cells.get(y * STRIDE + x);
          if (cell && this.#someIn(cell, level, x, y, x0, y0, test)) return true;
        }
    }
    return false;
  }

  /** Those of a cell that are in no cell of the area before it. */
  #someIn(
    cell: readonly number[],
    level: number,
    x: number,
    y: number,
    x0: number,
    y0: number,
    test: (i: number) => boolean,
  ): boolean {
    for (const i of cell) {
      const box = this.#boxes[i] as Box;
      if (x > x0 && cellOf(box.x0, level) < x) continue;
      if (y > y0 && cellOf(box.y0, level) < y) continue;
      if (test(i)) return true;
    }
    return false;
  }

  /** Visits the boxes in the cells of an area, each once, in no certain order. */
  forEach(area: Box, visit: (i: number) => void): void {
    this.some(area, (i) => {
      visit(i);
      return false;
    });
  }
}

/** The area of all that is no further from a box than these gaps, also of what is exactly so far from it. */
export const around = ({ x0, y0, x1, y1 }: Box, across: number, down = across): Box => ({
  x0: x0 - across - 1,
  y0: y0 - down - 1,
  x1: x1 + across + 1,
  y1: y1 + down + 1,
});

/** The point in the middle of a box: what covers most of the box covers it. */
export const middleOf = ({ x0, y0, x1, y1 }: Box): Box => {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return { x0: x, y0: y, x1: x, y1: y };
};

function levelOf(side: number): number {
  let level = 0;
  while (level < LEVELS && SMALLEST << level < side) level++;
  return level;
}

function cellsOf({ x0, y0, x1, y1 }: Box, level: number): [number, number, number, number] {
  return [
    cellOf(x0, level),
    cellOf(y0, level),
    cellOf(Math.max(x0, Math.ceil(x1) - 1), level),
    cellOf(Math.max(y0, Math.ceil(y1) - 1), level),
  ];
}

const cellOf = (at: number, level: number): number => Math.max(0, Math.floor(at / (SMALLEST << level)));
