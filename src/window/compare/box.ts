/** In pixels; the ends are exclusive. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Joins boxes that overlap or lie closer to each other than the gaps, until none do; in reading order. */
export function joinedBoxes(boxes: readonly Box[], gapX: number, gapY: number): Box[] {
  const open = [...boxes];
  const joined: Box[] = [];
  for (let box = open.pop(); box; box = open.pop()) {
    const near = open.findIndex((other) => isNear(box as Box, other, gapX, gapY));
    if (near < 0) {
      // What was set aside earlier may be near to what this one has grown to.
      const earlier = joined.findIndex((other) => isNear(box as Box, other, gapX, gapY));
      if (earlier < 0) joined.push(box);
      else open.push(union(box, joined.splice(earlier, 1)[0] ?? box));
    } else open.push(union(box, open.splice(near, 1)[0] ?? box));
  }
  return joined.sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
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
