import { areaOf, type Box, sharedArea } from './element.ts';

/** Share of a box that lies in another for it to be inside. */
const INSIDE = 0.88;

export interface Containment {
  /** Indices of the boxes, large ones first. */
  order: number[];
  /** Place in `order` of the smallest one around each, -1 for none; always before it. */
  parent: Int32Array;
}

/** Which boxes lie in which. */
export function containmentOf(boxes: readonly Box[], indices: readonly number[]): Containment {
  const area = new Map(indices.map((i) => [i, areaOf(boxes[i] as Box)]));
  const order = [...indices].sort((a, b) => (area.get(b) as number) - (area.get(a) as number) || a - b);
  const parent = new Int32Array(order.length).fill(-1);
  for (let k = 1; k < order.length; k++) {
    const inner = boxes[order[k] as number] as Box;
    const needed = INSIDE * (area.get(order[k] as number) as number);
    for (let j = k - 1; j >= 0; j--) {
      if (sharedArea(inner, boxes[order[j] as number] as Box) < needed) continue;
      parent[k] = j;
      break;
    }
  }
  return { order, parent };
}
