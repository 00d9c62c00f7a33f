import { around, BoxIndex, middleOf } from './box-index.ts';
import type { Candidate, Scene } from './candidates.ts';
import type { Box } from './element.ts';
import { FAR } from './feature-names.ts';
import { boxOf } from './ink.ts';
import { type Pitch, pitchOf } from './pitch.ts';
import { membersOf, type RowNode } from './rows.ts';
import { SurfaceLines } from './surface-lines.ts';

/** What is asked again and again about a scene, counted once. */
export interface Surroundings {
  /** Roots of the rows from top to bottom. */
  roots: Root[];
  /** Places in `roots`, by where they are. */
  rootIndex: BoxIndex;
  rootOf: Map<number, Root>;
  rootsOn: Map<number, number>;
  /** Number of words after a wide gap that begin, or end before one, at each column of pixels. */
  starts: Uint16Array;
  ends: Uint16Array;
  /** Root, depth and river of each row node. */
  root: Int32Array;
  depth: Int32Array;
  /** Row node of each single piece of ink that is in a row. */
  nodeOfInk: Map<number, number>;
  river: Float32Array;
  /** Horizontal strokes that text may stand on. */
  rules: Box[];
  ruleIndex: BoxIndex;
  underlineIndex: BoxIndex;
  /** Colour of most of the letters, 0xRRGGBB. */
  usualColour: number;
  surfaces: Candidate[];
  surfaceIndex: BoxIndex;
  surfaceLines: SurfaceLines;
  framed: Set<number>;
  /** Surface inside of each frame. */
  fillOf: Map<number, number>;
}

export interface Root {
  node: RowNode;
  index: number;
  widest: number;
  holes: number;
  pitch: Pitch;
}

/** Gaps wider than this in heights part columns; in prose there are none. */
const WIDE = 0.5;
const HOLE = 1;
/** Widest border, with its corners. Pixels. */
const FRAME_WIDTH = 4;

export function surroundingsOf(scene: Scene): Surroundings {
  const { rows, ink, isLine, candidates, width } = scene;
  const starts = new Uint16Array(width + 4);
  const ends = new Uint16Array(width + 4);
  const mark = (columns: Uint16Array, x: number) => {
    for (let at = Math.max(0, x - 1); at <= x + 1; at++) columns[at] = (columns[at] as number) + 1;
  };
  const roots: Root[] = [];
  const rootsOn = new Map<number, number>();
  const root = new Int32Array(rows.length);
  const depth = new Int32Array(rows.length);
  const nodeOfInk = new Map<number, number>();
  for (let i = rows.length - 1; i >= 0; i--) {
    const node = rows[i] as RowNode;
    root[i] = node.parent < 0 ? i : (root[node.parent] as number);
    if (node.children.length === 0) nodeOfInk.set(node.largest, i);
    depth[i] = node.parent < 0 ? 0 : (depth[node.parent] as number) + 1;
    if (node.parent >= 0) continue;
    const sorted = membersOf(rows, node).sort((a, b) => (ink.x0[a] as number) - (ink.x0[b] as number));
    const unit = Math.max(4, node.y1 - node.y0);
    let end = ink.x1[sorted[0] as number] as number;
    let widest = 0;
    let holes = 0;
    mark(starts, node.x0);
    mark(ends, node.x1);
    for (const l of sorted) {
      const gap = (ink.x0[l] as number) - end;
      if (gap > WIDE * unit) {
        mark(starts, ink.x0[l] as number);
        mark(ends, end);
      }
      if (gap > HOLE * unit) holes++;
      widest = Math.max(widest, gap / unit);
      end = Math.max(end, ink.x1[l] as number);
    }
    roots.push({ node, index: i, widest, holes, pitch: pitchOf(ink, sorted) });
    const surface = ink.surface[node.first] as number;
    rootsOn.set(surface, (rootsOn.get(surface) ?? 0) + 1);
  }
  roots.sort((a, b) => a.node.y0 - b.node.y0 || a.node.x0 - b.node.x0);
  const lines: number[] = [];
  for (let l = 0; l < ink.count; l++) if (isLine[l]) lines.push(l);
  const surfaces = candidates.filter(({ kind }) => kind === 'box');
  const framed = new Set<number>();
  const fillOf = new Map<number, number>();
  const borders = lines.map((l) => boxOf(ink, l));
  const borderIndex = new BoxIndex(borders);
  for (const surface of surfaces)
    borderIndex.forEach(middleOf(surface), (i) => {
      if (!isAround(borders[i] as Box, surface, FRAME_WIDTH)) return;
      framed.add(surface.index);
      fillOf.set(lines[i] as number, surface.index);
    });
  const rules = rulesOf(scene, borders);
  return {
    roots,
    rootIndex: new BoxIndex(roots.map(({ node }) => node)),
    rootOf: new Map(roots.map((one) => [one.index, one])),
    rootsOn,
    starts,
    ends,
    root,
    depth,
    nodeOfInk,
    river: riversOf(scene, (node) => ink.surface[node.first] as number),
    rules,
    ruleIndex: new BoxIndex(rules),
    underlineIndex: new BoxIndex(scene.underlines.map(boxOfUnderline)),
    usualColour: usualColourOf(scene, roots),
    surfaces,
    surfaceIndex: new BoxIndex(surfaces),
    surfaceLines: new SurfaceLines(surfaces),
    framed,
    fillOf,
  };
}

/** Highest rule. Pixels. */
const RULE = 4;

const boxOfUnderline = ({ x0, x1, y }: Scene['underlines'][number]): Box => ({ x0, x1, y0: y, y1: y + 1 });

const rulesOf = ({ underlines }: Scene, borders: readonly Box[]): Box[] => [
  ...borders.filter(({ y0, y1 }) => y1 - y0 <= RULE).map(({ x0, x1, y0 }) => ({ x0, x1, y0, y1: y0 + 1 })),
  ...underlines.map(boxOfUnderline),
];

/** Shades of one colour are counted together: only these bits of each channel. */
const SHADES = 0xe0e0e0;

function usualColourOf({ ink, rows }: Scene, roots: readonly Root[]): number {
  const counts = new Map<number, { count: number; colour: number }>();
  let usual = { count: 0, colour: 0 };
  for (const { node } of roots) {
    for (const l of membersOf(rows, node)) {
      const colour = ink.colour[l] as number;
      const own = counts.get(colour & SHADES) ?? { count: 0, colour };
      own.count++;
      counts.set(colour & SHADES, own);
      if (own.count > usual.count) usual = own;
    }
  }
  return usual.colour;
}

/** River of the gap between the two halves of each row. */
function riversOf({ rows, river }: Scene, surfaceOf: (node: RowNode) => number): Float32Array {
  return Float32Array.from(rows, (node) => {
    if (node.children.length !== 2) return 0;
    const [one, two] = node.children.map((child) => rows[child] as RowNode) as [RowNode, RowNode];
    const x0 = Math.min(one.x1, two.x1);
    const x1 = Math.max(one.x0, two.x0);
    return river({ x0, x1, y0: node.y0, y1: node.y1, surface: surfaceOf(node) });
  });
}

/** Nearest rows above and below a box. */
export interface Neighbours {
  above: number;
  aboveNode: RowNode | undefined;
  below: number;
  belowNode: RowNode | undefined;
}

/** @param unit height in pixels that distances are told in */
export function neighboursOf(
  { roots, rootIndex }: Pick<Surroundings, 'roots' | 'rootIndex'>,
  c: Candidate,
  unit: number,
): Neighbours {
  const h = c.y1 - c.y0;
  const found: Neighbours = { above: FAR, aboveNode: undefined, below: FAR, belowNode: undefined };
  let [last, first] = [-1, roots.length];
  rootIndex.forEach(around(c, 0, FAR * unit), (i) => {
    const { node } = roots[i] as Root;
    if (node.x1 <= c.x0 || node.x0 >= c.x1) return;
    if (node.y1 <= c.y0 + h * 0.3) {
      const distance = Math.max(0, c.y0 - node.y1) / unit;
      // Of those as near the last one, as they are sorted.
      if (distance > found.above || (distance === found.above && i < last)) return;
      last = i;
      found.above = distance;
      found.aboveNode = node;
    } else if (node.y0 >= c.y1 - h * 0.3 && node.y0 <= c.y1 + FAR * unit && i < first) {
      first = i;
      found.below = Math.min(FAR, Math.max(0, node.y0 - c.y1) / unit);
      found.belowNode = node;
    }
  });
  return found;
}

export const isInside = (inner: Box, outer: Box): boolean =>
  inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 && inner.y1 <= outer.y1;

export const isAround = (outer: Box, inner: Box, slack: number): boolean =>
  isInside(inner, outer) &&
  inner.x0 - outer.x0 <= slack &&
  inner.y0 - outer.y0 <= slack &&
  outer.x1 - inner.x1 <= slack &&
  outer.y1 - inner.y1 <= slack;
