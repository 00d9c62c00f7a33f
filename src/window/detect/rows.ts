import { colourDistance } from './colours.ts';
import type { Ink } from './ink.ts';
import { type Edge, edgesOf, LEAST_RIVER_GAP, type RowOptions } from './row-edges.ts';

/** A group of ink components side by side, as found when gaps are closed from the narrowest on. */
export interface RowNode {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** Number of ink components in it, the first of them, and those of a node without children: `membersOf` has them all. */
  count: number;
  first: number;
  own: readonly number[];
  /** Widest gap inside, pixels. */
  gapInside: number;
  /** Gap at which it joins its parent; Infinity for a root. */
  gapOutside: number;
  parent: number;
  /** What it joins, -1 for a root. */
  sibling: number;
  children: readonly number[];
  /** Largest ink component in it. */
  largest: number;
}

/** Each step to a longer row looks at all of its components: rows of more than so many together at most at so many by the pixels. */
const LONG = 400;
const MOST_LONG = 4;

/** Rows, and what was not done since a picture has too much of it. */
export interface Rows {
  nodes: RowNode[];
  /** Parts of long rows that were not joined to the row that they are of. */
  unjoined: number;
  /** Pieces of ink of which not all neighbours were looked at. */
  crowded: number;
}

/**
 * Single linkage along rows: every node is a candidate for a word, a link, a line or an icon beside its text.
 *
 * @param most components of long rows together, counted at each step
 */
export function rowNodes(
  ink: Ink,
  atoms: readonly number[],
  height: number,
  options: RowOptions,
  most = MOST_LONG * ink.label.length,
): Rows {
  const { edges, crowded } = edgesOf(ink, atoms, height, options);
  edges.sort((one, other) => one.distance - other.distance || one.a - other.a || one.b - other.b);
  const nodes: RowNode[] = atoms.map((l) => ({
    x0: ink.x0[l] as number,
    y0: ink.y0[l] as number,
    x1: ink.x1[l] as number,
    y1: ink.y1[l] as number,
    count: 1,
    first: l,
    own: [l],
    gapInside: 0,
    gapOutside: Number.POSITIVE_INFINITY,
    parent: -1,
    sibling: -1,
    children: [],
    largest: l,
  }));
  const top = atoms.map((_, i) => i);
  const find = (i: number): number => {
    let at = i;
    while (top[at] !== at) {
      top[at] = top[top[at] as number] as number;
      at = top[at] as number;
    }
    return at;
  };
  // Index of the current node of each set, by its root atom.
  const nodeOf = atoms.map((_, i) => i);
  let long = 0;
  const apart: Edge[] = [];
  for (const edge of edges) {
    const { a, b, gap } = edge;
    const one = find(a);
    const two = find(b);
    if (one === two) continue;
    const left = nodeOf[one] as number;
    const right = nodeOf[two] as number;
    const pairs = [
      [left, right],
      [right, left],
    ] as const;
    const whole = joined(ink, nodes, left, right, gap);
    const others = pairs.flatMap(([node, end]) => splitOtherwise(ink, nodes, node, end, gap));
    const looked = [whole, ...others].reduce((sum, { count }) => sum + (count > LONG ? count : 0), 0);
    if (looked > 0 && long + looked > most) {
      apart.push(edge);
      continue;
    }
    long += looked;
    const merged = nodes.length + others.length;
    for (const other of others) nodes.push({ ...other, parent: merged });
    nodes.push({ ...whole, gapOutside: Number.POSITIVE_INFINITY });
    for (const [child, sibling] of pairs) {
      const node = nodes[child] as RowNode;
      node.parent = merged;
      node.sibling = sibling;
      node.gapOutside = gap;
    }
    top[two] = one;
    nodeOf[one] = merged;
  }
  return { nodes, unjoined: joinsOf(apart, find, top), crowded };
}

/** How many joins would make one row of all that these edges hold together. Joins the sets. */
function joinsOf(edges: readonly Edge[], find: (i: number) => number, top: number[]): number {
  let joins = 0;
  for (const { a, b } of edges) {
    const [one, two] = [find(a), find(b)];
    if (one === two) continue;
    top[two] = one;
    joins++;
  }
  return joins;
}

/** All ink components of a row or a cluster, those of the longer half first. */
export function membersOf(rows: readonly RowNode[], node: RowNode): number[] {
  const members: number[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const l of next.own) members.push(l);
    if (next.children.length === 2) waiting.push(...halvesOf(rows, next).reverse());
  }
  return members;
}

/** Of a row, the longer one first. */
function halvesOf(rows: readonly RowNode[], { children: [left, right] }: RowNode): [RowNode, RowNode] {
  const [l, r] = [rows[left as number] as RowNode, rows[right as number] as RowNode];
  return l.count > r.count ? [l, r] : [r, l];
}

/** Two colours that differ more part a row; less than this share of a gap is no doubt about where. */
const OTHER_COLOUR = 60;
const DOUBT = 0.5;
/** Wider in heights is a gap between columns. */
const WIDEST_DOUBT = 1;

/**
 * Where a row changes its colour the narrowest gap need not be the one that is closed first: "name ()" is a text although
 * the type before it stands closer to the name, and so is the value behind a colon whose own blank is wider. These are the pieces that
 * are joined when the row is parted there instead: at the widest gap with a change, and at the narrowest.
 */
function splitOtherwise(
  ink: Ink,
  nodes: readonly RowNode[],
  whole: number,
  end: number,
  gap: number,
): Omit<RowNode, 'parent'>[] {
  const last = nodes[end] as RowNode;
  const isAfter = last.x0 >= (nodes[whole] as RowNode).x1;
  const pieces: Omit<RowNode, 'parent'>[] = [];
  for (let at = whole; ; ) {
    const { children } = nodes[at] as RowNode;
    if (children.length !== 2) break;
    const [one, two] = children as [number, number];
    const isFirst = (nodes[one] as RowNode).x0 <= (nodes[two] as RowNode).x0;
    const [far, near] = isAfter === isFirst ? [one, two] : [two, one];
    const a = nodes[far] as RowNode;
    const b = nodes[near] as RowNode;
    const height = Math.max(b.y1 - b.y0, last.y1 - last.y0);
    const own = a.gapOutside;
    if (own < LEAST_RIVER_GAP || own < DOUBT * gap || gap > WIDEST_DOUBT * height) break;
    if (colourDistance(ink.colour[a.largest] as number, ink.colour[b.largest] as number) > OTHER_COLOUR)
      pieces.splice(1, 1, { ...joined(ink, nodes, near, end, gap), gapOutside: own, sibling: far });
    at = near;
  }
  return pieces;
}

/** A node of two others. */
function joined(
  ink: Ink,
  nodes: readonly RowNode[],
  left: number,
  right: number,
  gap: number,
): Omit<RowNode, 'gapOutside'> {
  const l = nodes[left] as RowNode;
  const r = nodes[right] as RowNode;
  return {
    x0: Math.min(l.x0, r.x0),
    y0: Math.min(l.y0, r.y0),
    x1: Math.max(l.x1, r.x1),
    y1: Math.max(l.y1, r.y1),
    count: l.count + r.count,
    first: (l.count > r.count ? l : r).first,
    own: [],
    gapInside: Math.max(gap, l.gapInside, r.gapInside),
    parent: -1,
    sibling: -1,
    children: [left, right],
    largest: (ink.area[r.largest] as number) > (ink.area[l.largest] as number) ? r.largest : l.largest,
  };
}
