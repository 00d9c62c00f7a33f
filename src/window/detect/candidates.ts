import type { Pixels } from '../image/pixels.ts';
import { type ColourComponents, colourComponents } from './components.ts';
import { type Ink, inkMask, inkOf, isSurface } from './ink.ts';
import { type River, riverOf } from './rivers.ts';
import { type RowNode, rowNodes } from './rows.ts';
import { takeUnderlines, type Underline } from './underlines.ts';

export type CandidateKind = 'row' | 'box' | 'frame' | 'blob' | 'cluster';

export interface Candidate {
  kind: CandidateKind;
  x0: number;
  y0: number;
  /** Exclusive. */
  x1: number;
  y1: number;
  /** Surface it lies on, or is; -1 for none. */
  surface: number;
  /** Row or cluster: its node; box: its component; frame, blob: its ink. */
  index: number;
}

/** All that an image offers to be an element. */
export interface Scene {
  width: number;
  height: number;
  components: ColourComponents;
  isSurface: Uint8Array;
  /** Surface around each surface, -1 for none. */
  around: Int32Array;
  /** Of each surface: area between its outermost pixels of each row, by the area of its box. */
  solidity: Float32Array;
  ink: Ink;
  underlines: Underline[];
  /** 1 for ink that is a border, a grid or a rule and no part of a row. */
  isLine: Uint8Array;
  river: River;
  rows: RowNode[];
  clusters: RowNode[];
  candidates: Candidate[];
}

const TOLERANCE = 2;
const MOST_GAP = 3;
const TALLEST_GLYPH = 72;

export function sceneOf(pixels: Pixels): Scene {
  const { width, height } = pixels;
  const components = colourComponents(pixels, TOLERANCE);
  const surface = new Uint8Array(components.count);
  for (let l = 0; l < components.count; l++) surface[l] = isSurface(components, l) ? 1 : 0;
  const isInk = inkMask(components, surface);
  const underlines = takeUnderlines(components, isInk);
  const ink = inkOf(components, surface, isInk);
  const isLine = new Uint8Array(ink.count);
  const atoms: number[] = [];
  for (let l = 0; l < ink.count; l++) {
    if (isRule(ink, l) || isHollow(ink, l)) isLine[l] = 1;
    else if ((ink.y1[l] as number) - (ink.y0[l] as number) <= TALLEST_GLYPH) atoms.push(l);
  }
  const river = riverOf(components, surface, ink, isLine);
  const rows = rowNodes(ink, atoms, height, { mostGap: MOST_GAP, river });
  const clusters = clusterNodes(ink, atoms);
  const around = surroundings(components, surface);
  const solidity = solidities(components, surface);
  const scene: Scene = {
    width,
    height,
    components,
    isSurface: surface,
    around,
    solidity,
    ink,
    underlines,
    isLine,
    river,
    rows,
    clusters,
    candidates: [],
  };
  scene.candidates = candidatesOf(scene);
  return scene;
}

const isRule = (ink: Ink, l: number): boolean => {
  const w = (ink.x1[l] as number) - (ink.x0[l] as number);
  const h = (ink.y1[l] as number) - (ink.y0[l] as number);
  return (h <= 3 && w >= 24) || (w <= 3 && h >= 24);
};

/** A border or a grid: much longer around than it has area. */
const isHollow = (ink: Ink, l: number): boolean => {
  const w = (ink.x1[l] as number) - (ink.x0[l] as number);
  const h = (ink.y1[l] as number) - (ink.y0[l] as number);
  const area = ink.area[l] as number;
  return w >= 24 && h >= 14 && Math.max(w, h) > 40 && area < 0.3 * w * h && area <= 4.2 * (w + h);
};

function candidatesOf({ components, isSurface: surface, ink, isLine, rows, clusters }: Scene): Candidate[] {
  const { width, height } = components;
  const candidates: Candidate[] = [];
  for (let l = 0; l < components.count; l++) {
    if (!surface[l]) continue;
    const box = boxOf(components, l);
    if ((box.x1 - box.x0) * (box.y1 - box.y0) > 0.9 * width * height) continue;
    candidates.push({ kind: 'box', ...box, surface: l, index: l });
  }
  for (let l = 0; l < ink.count; l++) {
    const box = boxOf(ink, l);
    const w = box.x1 - box.x0;
    const h = box.y1 - box.y0;
    if (w < 8 || h < 8) continue;
    if (isLine[l]) candidates.push({ kind: 'frame', ...box, surface: ink.surface[l] as number, index: l });
    else if (h > TALLEST_GLYPH)
      candidates.push({ kind: 'blob', ...box, surface: ink.surface[l] as number, index: l });
  }
  rows.forEach((row, index) => {
    const { x0, y0, x1, y1, members } = row;
    if (x1 - x0 < 3 || y1 - y0 < 3) return;
    candidates.push({
      kind: 'row',
      x0,
      y0,
      x1,
      y1,
      surface: ink.surface[members[0] as number] as number,
      index,
    });
  });
  clusters.forEach((row, index) => {
    const { x0, y0, x1, y1, members } = row;
    candidates.push({
      kind: 'cluster',
      x0,
      y0,
      x1,
      y1,
      surface: ink.surface[members[0] as number] as number,
      index,
    });
  });
  return candidates;
}

interface Boxes {
  x0: Int32Array;
  y0: Int32Array;
  x1: Int32Array;
  y1: Int32Array;
}

export const boxOf = (boxes: Boxes, l: number) => ({
  x0: boxes.x0[l] as number,
  y0: boxes.y0[l] as number,
  x1: boxes.x1[l] as number,
  y1: boxes.y1[l] as number,
});

const CLUSTER_GAP = 4;
const LARGEST_ICON = 64;

/** Small pieces that lie close in both directions: an icon of several strokes. Only those that no row makes. */
function clusterNodes(ink: Ink, atoms: readonly number[]): RowNode[] {
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
  const boxes = new Map(order.map((l) => [l, { ...boxOf(ink, l), members: [l] }]));
  for (let i = 0; i < order.length; i++) {
    const a = order[i] as number;
    for (let j = i + 1; j < order.length; j++) {
      const b = order[j] as number;
      if ((ink.y0[b] as number) - (ink.y1[a] as number) > CLUSTER_GAP) {
        if ((ink.y0[b] as number) - (ink.y0[a] as number) > LARGEST_ICON) break;
        continue;
      }
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
      };
      if (merged.x1 - merged.x0 > LARGEST_ICON || merged.y1 - merged.y0 > LARGEST_ICON) continue;
      top.set(two, one);
      boxes.set(one, merged);
      boxes.delete(two);
    }
  }
  for (const { x0, y0, x1, y1, members } of boxes.values()) {
    if (members.length < 2) continue;
    clusters.push({
      x0,
      y0,
      x1,
      y1,
      members,
      gapInside: 0,
      gapOutside: Number.POSITIVE_INFINITY,
      parent: -1,
      children: [],
      colour: -1,
    });
  }
  return clusters;
}

const SAMPLES = [0.1, 0.3, 0.5, 0.7, 0.9];

/** The surface that most points around a surface's box lie on. */
function surroundings(components: ColourComponents, surface: Uint8Array): Int32Array {
  const { width, height, label, count } = components;
  const around = new Int32Array(count).fill(-1);
  for (let l = 0; l < count; l++) {
    if (!surface[l]) continue;
    const { x0, y0, x1, y1 } = boxOf(components, l);
    const votes = new Map<number, number>();
    const look = (x: number, y: number) => {
      const px = Math.round(x);
      const py = Math.round(y);
      if (px < 0 || py < 0 || px >= width || py >= height) return;
      const other = label[py * width + px] as number;
      if (other !== l && surface[other]) votes.set(other, (votes.get(other) ?? 0) + 1);
    };
    for (const off of [1, 3, 6]) {
      for (const t of SAMPLES) {
        look(x0 + t * (x1 - x0), y0 - off);
        look(x0 + t * (x1 - x0), y1 - 1 + off);
        look(x0 - off, y0 + t * (y1 - y0));
        look(x1 - 1 + off, y0 + t * (y1 - y0));
      }
    }
    let most = 0;
    for (const [other, times] of votes) {
      if (times > most) {
        most = times;
        around[l] = other;
      }
    }
  }
  return around;
}

function solidities(components: ColourComponents, surface: Uint8Array): Float32Array {
  const { width, label, count } = components;
  const solidity = new Float32Array(count);
  for (let l = 0; l < count; l++) {
    if (!surface[l]) continue;
    const { x0, y0, x1, y1 } = boxOf(components, l);
    let covered = 0;
    for (let y = y0; y < y1; y++) {
      let from = x0;
      while (from < x1 && label[y * width + from] !== l) from++;
      let to = x1 - 1;
      while (to > from && label[y * width + to] !== l) to--;
      covered += Math.max(0, to - from + 1);
    }
    solidity[l] = covered / ((x1 - x0) * (y1 - y0));
  }
  return solidity;
}
