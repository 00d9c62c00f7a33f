import { around, BoxIndex } from './box-index.ts';
import type { Box } from './element.ts';
import { boxOf, type Ink } from './ink.ts';
import type { RowNode } from './rows.ts';

const CLUSTER_GAP = 4;
const LARGEST_ICON = 64;

/** Small pieces that lie close in both directions: an icon of several strokes. Only those that no row makes. */
export function clusterNodes(ink: Ink, atoms: readonly number[]): RowNode[] {
  const small = atoms.filter((l) => {
    const { x0, y0, x1, y1 } = boxOf(ink, l);
    return x1 - x0 <= LARGEST_ICON && y1 - y0 <= LARGEST_ICON;
  });
  const order = [...small].sort((a, b) => (ink.y0[a] as number) - (ink.y0[b] as number) || a - b);
  const clusters: RowNode[] = [];
  const top = new Map<number, number>(order.map((l) => [l, l]));
  const find = (l: number): number => {
    let at = l;
    while (top.get(at) !== at) at = top.get(at) as number;
    return at;
  };
  const boxes = new Map(order.map((l) => [l, { ...boxOf(ink, l), members: [l], isCut: false }]));
  const places = order.map((l) => boxOf(ink, l));
  const index = new BoxIndex(places);
  /** Pieces beside or below one that come later in the order. */
  const nearAfter = (i: number): number[] => {
    const near: number[] = [];
    index.forEach(around(places[i] as Box, CLUSTER_GAP), (j) => {
      if (j > i) near.push(j);
    });
    return near.sort((one, other) => one - other);
  };
  for (let i = 0; i < order.length; i++) {
    const a = order[i] as number;
    for (const j of nearAfter(i)) {
      const b = order[j] as number;
      if ((ink.y0[b] as number) - (ink.y1[a] as number) > CLUSTER_GAP) continue;
      const gapX =
        Math.max(ink.x0[b] as number, ink.x0[a] as number) -
        Math.min(ink.x1[a] as number, ink.x1[b] as number);
      if (gapX > CLUSTER_GAP) continue;
      const one = find(a);
      const two = find(b);
      if (one === two) continue;
      const p = boxes.get(one);
      const q = boxes.get(two);
      if (!p || !q) continue;
      const merged = {
        x0: Math.min(p.x0, q.x0),
        y0: Math.min(p.y0, q.y0),
        x1: Math.max(p.x1, q.x1),
        y1: Math.max(p.y1, q.y1),
        members: [...p.members, ...q.members],
        isCut: p.isCut || q.isCut,
      };
      if (merged.x1 - merged.x0 > LARGEST_ICON || merged.y1 - merged.y0 > LARGEST_ICON) {
        // It goes on where no icon does: a piece of a text.
        p.isCut = true;
        q.isCut = true;
        continue;
      }
      top.set(two, one);
      boxes.set(one, merged);
      boxes.delete(two);
    }
  }
  for (const { x0, y0, x1, y1, members, isCut } of boxes.values()) {
    if (members.length < 2 || isCut) continue;
    clusters.push({
      x0,
      y0,
      x1,
      y1,
      count: members.length,
      first: members[0] as number,
      own: members,
      gapInside: 0,
      gapOutside: Number.POSITIVE_INFINITY,
      parent: -1,
      sibling: -1,
      children: [],
      largest: members.reduce((a, b) => ((ink.area[b] as number) > (ink.area[a] as number) ? b : a)),
    });
  }
  return clusters;
}
