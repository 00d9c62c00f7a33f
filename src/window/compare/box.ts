import { BoxIndex } from '../detect/box-index.ts';

/** In pixels; the ends are exclusive. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Joins boxes that overlap or lie closer to each other than the gaps, until none do; in reading order. */
export function joinedBoxes(boxes: readonly Box[], gapX: number, gapY: number): Box[] {
  const all = [...boxes];
  const index = new BoxIndex(all);
  const isGone = new Set<number>();
  for (let next = 0; next < all.length; next++) {
    const box = all[next] as Box;
    if (isGone.has(next)) continue;
    const { x0, y0, x1, y1 } = box;
    const around = { x0: x0 - gapX, y0: y0 - gapY, x1: x1 + gapX, y1: y1 + gapY };
    const near: number[] = [];
    index.forEach(around, (i) => {
      if (i !== next && !isGone.has(i) && isNear(box, all[i] as Box, gapX, gapY)) near.push(i);
    });
    if (near.length === 0) continue;
    for (const i of [next, ...near]) isGone.add(i);
    // What it has grown to may be near to others: it is asked again at the end.
    all.push(near.reduce((joined, i) => union(joined, all[i] as Box), box));
    index.add(all.length - 1);
  }
  return all.filter((_, i) => !isGone.has(i)).sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
}

export function union(a: Box, b: Box): Box {
  return {
    x0: Math.min(a.x0, b.x0),
    y0: Math.min(a.y0, b.y0),
    x1: Math.max(a.x1, b.x1),
    y1: Math.max(a.y1, b.y1),
  };
}

/** Intersection over union, 0..1. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const height = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (area(a) + area(b) - width * height);
}

export function area({ x0, y0, x1, y1 }: Box): number {
  return (x1 - x0) * (y1 - y0);
}

function isNear(a: Box, b: Box, gapX: number, gapY: number): boolean {
  return a.x0 - b.x1 < gapX && b.x0 - a.x1 < gapX && a.y0 - b.y1 < gapY && b.y0 - a.y1 < gapY;
}
