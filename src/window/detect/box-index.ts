import type { Box } from './element.ts';

/** Sides of the smallest cells, and how many times they double. Pixels. */
const SMALLEST = 32;
const LEVELS = 11;
/** More than a row of cells has. */
const STRIDE = 1 << 20;

/** Cells of one width and height, with the boxes in each by its place. */
interface Grid {
  width: number;
  height: number;
  cells: Map<number, number[]>;
}

/**
 * Boxes by their place, so that those near another box are found without asking all of them.
 *
 * Grids lie over each other, one for each width and height of cells that is needed. A box is in the one whose cells are just as wide and as
 * high as it is, and so in four of them at most; a long flat box meets only those of its own lines.
 */
export class BoxIndex {
  readonly #boxes: readonly Box[];
  readonly #grids: Grid[] = [];
  /** Grids by the steps of their width and height. */
  readonly #gridOf: Grid[][] = [];

  /** @param indices those of the boxes that are looked for; all when left out */
  constructor(boxes: readonly Box[], indices: Iterable<number> = boxes.keys()) {
    this.#boxes = boxes;
    for (const i of indices) this.add(i);
  }

  /** @param i index of a box that is there by now, and is looked for from here on */
  add(i: number): void {
    const box = this.#boxes[i] as Box;
    const grid = this.#gridFor(levelOf(box.x1 - box.x0), levelOf(box.y1 - box.y0));
    const [x0, y0, x1, y1] = cellsOf(box, grid);
    for (let y = y0; y <= y1; y++)
      for (let x = x0; x <= x1; x++) {
        const cell = grid.cells.get(y * STRIDE + x);
        if (cell) cell.push(i);
        else grid.cells.set(y * STRIDE + x, [i]);
      }
  }

  #gridFor(across: number, down: number): Grid {
    this.#gridOf[across] ??= [];
    const column = this.#gridOf[across];
    const known = column[down];
    if (known) return known;
    const grid = { width: SMALLEST << across, height: SMALLEST << down, cells: new Map<number, number[]>() };
    column[down] = grid;
    this.#grids.push(grid);
    return grid;
  }

  /**
   * Whether a box in the cells of an area passes a test: each is tested once, in no certain order, and not all of them touch the area.
   *
   * @param area may be without extent: a point
   */
  some(area: Box, test: (i: number) => boolean): boolean {
    for (const grid of this.#grids) {
      const [x0, y0, x1, y1] = cellsOf(area, grid);
      if ((x1 - x0 + 1) * (y1 - y0 + 1) > grid.cells.size) {
        for (const [key, cell] of grid.cells) {
          const [x, y] = [key % STRIDE, Math.floor(key / STRIDE)];
          if (x >= x0 && x <= x1 && y >= y0 && y <= y1 && this.#someIn(cell, grid, x, y, x0, y0, test))
            return true;
        }
        continue;
      }
      for (let y = y0; y <= y1; y++)
        for (let x = x0; x <= x1; x++) {
          const cell = grid.cells.get(y * STRIDE + x);
          if (cell && this.#someIn(cell, grid, x, y, x0, y0, test)) return true;
        }
    }
    return false;
  }

  /** Those of a cell that are in no cell of the area before it. */
  #someIn(
    cell: readonly number[],
    { width, height }: Grid,
    x: number,
    y: number,
    x0: number,
    y0: number,
    test: (i: number) => boolean,
  ): boolean {
    for (const i of cell) {
      const box = this.#boxes[i] as Box;
      if (x > x0 && cellOf(box.x0, width) < x) continue;
      if (y > y0 && cellOf(box.y0, height) < y) continue;
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

function cellsOf({ x0, y0, x1, y1 }: Box, { width, height }: Grid): [number, number, number, number] {
  return [
    cellOf(x0, width),
    cellOf(y0, height),
    cellOf(Math.max(x0, Math.ceil(x1) - 1), width),
    cellOf(Math.max(y0, Math.ceil(y1) - 1), height),
  ];
}

const cellOf = (at: number, side: number): number => Math.max(0, Math.floor(at / side));
