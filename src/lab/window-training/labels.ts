import { colourDistance } from '../../window/detect/colours.ts';
import { type Box, overlapOf } from '../../window/detect/element.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import type { TruthItem } from '../window-benchmark/truth.ts';

export interface Labels {
  /** Of each candidate: its best IoU with an element of the page. */
  overlap: Float32Array;
  /** The element that it has it with, -1 for none. */
  element: Int32Array;
}

/** Compares candidates with the truth: an element is met by its box or by its ink, whichever fits better. */
export function labelsOf(candidates: readonly Box[], truth: readonly TruthItem[]): Labels {
  const elements = truth.map((item, index) => ({ item, index })).filter(({ item }) => isElement(item));
  const boxes = elements.map(({ item }) => boxOfItem(item));
  const inks = elements.map(({ item }) => boxOfItem({ box: item.ink ?? item.box }));
  const overlap = new Float32Array(candidates.length);
  const element = new Int32Array(candidates.length).fill(-1);
  candidates.forEach((candidate, c) => {
    elements.forEach(({ index }, e) => {
      const best = Math.max(overlapOf(candidate, boxes[e] as Box), overlapOf(candidate, inks[e] as Box));
      if (best > (overlap[c] as number)) {
        overlap[c] = best;
        element[c] = index;
      }
    });
  });
  return { overlap, element };
}

const isElement = ({ class: name }: TruthItem): boolean =>
  name === 'interactive' || name === 'text' || name === 'graphic';

export const boxOfItem = ({ box: { x, y, width, height } }: Pick<TruthItem, 'box'>): Box => ({
  x0: x,
  y0: y,
  x1: x + width,
  y1: y + height,
});

const INK = 48;

/** The pixels in a box that are not its ground, boxed; the box itself when there are none. */
export function inkBox({ width, data }: Pixels, box: Box): Box {
  const colour = (x: number, y: number): number => {
    const at = (y * width + x) * 3;
    return ((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number);
  };
  const counts = new Map<number, number>();
  for (let y = box.y0; y < box.y1; y++) {
    // Runs of one colour are counted at once: most of a screen is flat.
    for (let x = box.x0; x < box.x1; ) {
      const value = colour(x, y);
      const from = x;
      while (x < box.x1 && colour(x, y) === value) x++;
      counts.set(value, (counts.get(value) ?? 0) + x - from);
    }
  }
  let ground = 0;
  let most = 0;
  for (const [value, count] of counts) {
    if (count > most) {
      most = count;
      ground = value;
    }
  }
  const ink: Box = { x0: box.x1, y0: box.y1, x1: box.x0, y1: box.y0 };
  for (let y = box.y0; y < box.y1; y++) {
    for (let x = box.x0; x < box.x1; x++) {
      const value = colour(x, y);
      if (value === ground || colourDistance(value, ground) < INK) continue;
      ink.x0 = Math.min(ink.x0, x);
      ink.y0 = Math.min(ink.y0, y);
      ink.x1 = Math.max(ink.x1, x + 1);
      ink.y1 = Math.max(ink.y1, y + 1);
    }
  }
  return ink.x1 > ink.x0 ? ink : box;
}

/** Widest line of a grid, with the ground beyond it, and the share of a side that it covers. Pixels. */
const GRID_LINE = 4;
const COVERED = 0.9;

/** A cell without the lines of the grid at its edges, which are no text. */
export function withoutGrid({ width, data }: Pixels, box: Box): Box {
  const colour = (x: number, y: number): number => {
    const at = (y * width + x) * 3;
    return ((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number);
  };
  /** The colour that most of a row or column has, -1 for none. */
  const usual = (x0: number, y0: number, x1: number, y1: number): number => {
    const counts = new Map<number, number>();
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++) counts.set(colour(x, y), (counts.get(colour(x, y)) ?? 0) + 1);
    const [most] = [...counts].sort((a, b) => b[1] - a[1]);
    return most && most[1] >= COVERED * (x1 - x0) * (y1 - y0) ? most[0] : -1;
  };
  const { x0, y0, x1, y1 } = box;
  const middle = { x0: x0 + GRID_LINE, y0: y0 + GRID_LINE, x1: x1 - GRID_LINE, y1: y1 - GRID_LINE };
  if (middle.x1 - middle.x0 < 3 || middle.y1 - middle.y0 < 3) return box;
  const counts = new Map<number, number>();
  for (let y = middle.y0; y < middle.y1; y++)
    for (let x = middle.x0; x < middle.x1; x++) counts.set(colour(x, y), (counts.get(colour(x, y)) ?? 0) + 1);
  const ground = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] as number;
  const cell = { ...box };
  const isLine = (at: number): boolean => at >= 0 && at !== ground;
  for (let k = GRID_LINE - 1; k >= 0; k--) {
    if (cell.x0 === x0 && isLine(usual(x0 + k, y0, x0 + k + 1, y1))) cell.x0 = x0 + k + 1;
    if (cell.x1 === x1 && isLine(usual(x1 - k - 1, y0, x1 - k, y1))) cell.x1 = x1 - k - 1;
    if (cell.y0 === y0 && isLine(usual(x0, y0 + k, x1, y0 + k + 1))) cell.y0 = y0 + k + 1;
    if (cell.y1 === y1 && isLine(usual(x0, y1 - k - 1, x1, y1 - k))) cell.y1 = y1 - k - 1;
  }
  return cell;
}
