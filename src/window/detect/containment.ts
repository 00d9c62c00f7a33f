import { BoxIndex, middleOf } from './box-index.ts';
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
  const place = new Int32Array(boxes.length);
  order.forEach((i, k) => {
    place[i] = k;
  });
  const index = new BoxIndex(boxes, order);
  const parent = new Int32Array(order.length).fill(-1);
  order.forEach((i, k) => {
    const inner = boxes[i] as Box;
    const needed = INSIDE * (area.get(i) as number);
    index.forEach(middleOf(inner), (j) => {
      const at = place[j] as number;
      if (at < k && at > (parent[k] as number) && sharedArea(inner, boxes[j] as Box) >= needed)
        parent[k] = at;
    });
  });
  return { order, parent };
}
