import type { Box } from './element.ts';

/** What begins and ends within so many pixels stands in one line. */
const NEAR = 2;
/** Larger than every height of an image. */
const STRIDE = 1 << 20;

/** How many boxes stand in one line: begin and end at the same heights. */
export class SurfaceLines {
  readonly #counts = new Map<number, number>();

  constructor(boxes: readonly Box[]) {
    for (const { y0, y1 } of boxes) {
      const key = y0 * STRIDE + y1;
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** Those in the line of a box, itself included when it is one of them. */
  near({ y0, y1 }: Box): number {
    let count = 0;
    for (let top = y0 - NEAR; top <= y0 + NEAR; top++)
      for (let foot = y1 - NEAR; foot <= y1 + NEAR; foot++)
        if (top >= 0) count += this.#counts.get(top * STRIDE + foot) ?? 0;
    return count;
  }

  static isNear(one: Box, other: Box): boolean {
    return Math.abs(one.y0 - other.y0) <= NEAR && Math.abs(one.y1 - other.y1) <= NEAR;
  }
}
