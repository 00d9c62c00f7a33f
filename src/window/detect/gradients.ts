import type { Box } from './element.ts';

/** Shorter runs of one colour are letters, and corners. Pixels. */
const LEAST_RUN = 32;
/** Round corners make the first rows narrower by this. Pixels. */
const CORNER = 8;
/** Rows that a shadow or a bevel has at most. */
const LEAST_ROWS = 10;
/** Largest step of a channel from one row to the next. */
const STEEPEST = 20;
/** Rows of one colour after which an area is flat. */
const FLAT = 3;
/** Share of the rows in which the colour changes. */
const CHANGING = 0.4;
/** A pixel that differs less from its row is of the gradient. */
const NEAR = 2;

/** A steep gradient from top to bottom, as title bars and buttons have it. */
interface Gradient extends Box {
  /** Ends of its last row. */
  left: number;
  right: number;
  colours: number[];
  steps: number;
  same: number;
}

/**
 * Gives an area that changes its colour row by row one colour, that of its middle, so that it is one surface and what is
 * written on it stands apart. Slow gradients need no help: neighbours of nearly one colour join anyway.
 *
 * @param colour of each pixel, 0xRRGGBB; changed in place
 */
export function flattenGradients(colour: Int32Array, width: number, height: number): void {
  let open: Gradient[] = [];
  const found: Gradient[] = [];
  for (let y = 0; y < height; y++) {
    const base = y * width;
    const next: Gradient[] = [];
    const taken = new Set<Gradient>();
    for (let x = 0; x < width; ) {
      const start = x;
      const own = colour[base + x] as number;
      while (x < width && colour[base + x] === own) x++;
      if (x - start < LEAST_RUN) continue;
      const before = open.find((one) => goesOn(one, y, start, x, own));
      if (!before) {
        next.push(begun(start, x, y, own));
        continue;
      }
      if (taken.has(before)) {
        before.right = x;
      } else {
        taken.add(before);
        next.push(before);
        before.same = own === before.colours.at(-1) ? before.same + 1 : 0;
        if (before.same === 0) before.steps++;
        before.colours.push(own);
        before.left = start;
        before.right = x;
        before.y1 = y + 1;
      }
      before.x0 = Math.min(before.x0, start);
      before.x1 = Math.max(before.x1, x);
    }
    for (const one of open) if (!taken.has(one)) found.push(one);
    open = [];
    for (const one of next) {
      if (one.same < FLAT) open.push(one);
      else found.push(one);
    }
  }
  for (const one of [...found, ...open])
    if (one.y1 - one.y0 >= LEAST_ROWS && one.steps >= CHANGING * (one.y1 - one.y0))
      flatten(colour, width, one);
}

const begun = (x0: number, x1: number, y: number, own: number): Gradient => ({
  x0,
  x1,
  y0: y,
  y1: y + 1,
  left: x0,
  right: x1,
  colours: [own],
  steps: 0,
  same: 0,
});

function goesOn(one: Gradient, y: number, from: number, to: number, own: number): boolean {
  const { x0, x1, left, right, y1, colours } = one;
  if (from < x0 - CORNER || to > x1 + CORNER) return false;
  // A second run of this row, right of a text.
  if (y1 === y + 1) return own === colours.at(-1);
  const shared = Math.min(right, to) - Math.max(left, from);
  return shared >= LEAST_RUN && isWithin(own, colours.at(-1) as number, STEEPEST);
}

function flatten(colour: Int32Array, width: number, { x0, x1, y0, colours }: Gradient): void {
  const middle = colours[colours.length >> 1] as number;
  colours.forEach((own, i) => {
    const base = (y0 + i) * width;
    for (let p = base + x0; p < base + x1; p++)
      if (isWithin(colour[p] as number, own, NEAR)) colour[p] = middle;
  });
}

function isWithin(a: number, b: number, most: number): boolean {
  if (a === b) return true;
  return (
    Math.abs((a >> 16) - (b >> 16)) <= most &&
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) <= most &&
    Math.abs((a & 255) - (b & 255)) <= most
  );
}
