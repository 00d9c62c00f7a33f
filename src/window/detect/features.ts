import { boxOf, type Candidate, type Scene } from './candidates.ts';
import { colourDistance } from './ink.ts';
import type { RowNode } from './rows.ts';

/** What the scorer knows of a candidate. The order is that of the weights. */
export const FEATURES = [
  'kind',
  'width',
  'height',
  'aspect',
  'members',
  'membersPerHeight',
  'gapInside',
  'gapOutside',
  'gapRatio',
  'gapChildren',
  'medianHeight',
  'heightSpread',
  'tallest',
  'density',
  'contrast',
  'saturation',
  'colours',
  'colourStep',
  'heightStep',
  'underline',
  'isRoot',
  'depth',
  'parentGrowth',
  'childShare',
  'alignedLeft',
  'aligned',
  'above',
  'below',
  'surfaceWidth',
  'surfaceHeight',
  'marginLeft',
  'marginRight',
  'marginTop',
  'marginBottom',
  'surfaceSolidity',
  'surfaceContrast',
  'surfaceRows',
  'surfaceShare',
  'surfaceFramed',
  'solidity',
  'groundContrast',
  'insideRows',
  'insideShare',
  'insideSurfaces',
  'insideLeft',
  'insideCentre',
  'insideMiddle',
  'insideHeight',
  'framed',
  'sameSize',
  'sameRow',
  'edge',
  'surfaceLuminance',
  'inkLuminance',
  'square',
] as const;

export const FEATURE_COUNT = FEATURES.length;

const KINDS = { row: 0, box: 1, frame: 2, blob: 3, cluster: 4 } as const;
const FAR = 20;

interface Row {
  node: RowNode;
  surface: number;
}

/** One row of FEATURE_COUNT numbers for each candidate. */
export function featuresOf(scene: Scene): Float32Array {
  const { candidates, components, ink, rows, isLine, width: pageWidth, height: pageHeight } = scene;
  const roots: Row[] = [];
  rows.forEach((node) => {
    if (node.parent < 0) roots.push({ node, surface: ink.surface[node.members[0] as number] as number });
  });
  const rootsOf = new Map<number, Row[]>();
  for (const row of roots) {
    const list = rootsOf.get(row.surface);
    if (list) list.push(row);
    else rootsOf.set(row.surface, [row]);
  }
  const lefts = new Map<number, number>();
  for (const { node } of roots) for (const d of [-1, 0, 1]) lefts.set(node.x0 + d, (lefts.get(node.x0 + d) ?? 0) + 1);
  const depths = new Int32Array(rows.length);
  for (let i = rows.length - 1; i >= 0; i--) {
    const parent = (rows[i] as RowNode).parent;
    depths[i] = parent < 0 ? 0 : (depths[parent] as number) + 1;
  }
  const frames = scene.candidates.filter(({ kind }) => kind === 'frame');
  const framedSurfaces = new Set<number>();
  for (const candidate of candidates) {
    if (candidate.kind !== 'box') continue;
    if (frames.some((frame) => isAround(frame, candidate, 4))) framedSurfaces.add(candidate.index);
  }
  const sizes = new Map<string, number>();
  const rowsOfBoxes = new Map<string, number>();
  const sizeKey = (c: Candidate) => `${c.kind} ${(c.x1 - c.x0) >> 1} ${(c.y1 - c.y0) >> 1}`;
  const rowKey = (c: Candidate) => `${c.kind} ${c.y0 >> 1} ${(c.y1 - c.y0) >> 1}`;
  for (const c of candidates) {
    sizes.set(sizeKey(c), (sizes.get(sizeKey(c)) ?? 0) + 1);
    rowsOfBoxes.set(rowKey(c), (rowsOfBoxes.get(rowKey(c)) ?? 0) + 1);
  }
  const sortedRoots = [...roots].sort((a, b) => a.node.y0 - b.node.y0);

  const result = new Float32Array(candidates.length * FEATURE_COUNT);
  const heights: number[] = [];
  candidates.forEach((c, i) => {
    const w = c.x1 - c.x0;
    const h = c.y1 - c.y0;
    const node = c.kind === 'row' ? (rows[c.index] as RowNode) : c.kind === 'cluster' ? (scene.clusters[c.index] as RowNode) : undefined;
    const value: Partial<Record<(typeof FEATURES)[number], number>> = {
      kind: KINDS[c.kind],
      width: w,
      height: h,
      aspect: w / h,
      edge: c.x0 <= 1 || c.y0 <= 1 || c.x1 >= pageWidth - 1 || c.y1 >= pageHeight - 1 ? 1 : 0,
      sameSize: sizes.get(sizeKey(c)) ?? 0,
      sameRow: rowsOfBoxes.get(rowKey(c)) ?? 0,
    };
    const ground = c.kind === 'box' ? (scene.around[c.index] as number) : c.surface;
    const groundColour = ground < 0 ? -1 : (components.first[ground] as number);
    if (node) {
      heights.length = 0;
      let area = 0;
      let colours = 0;
      const first = ink.colour[node.members[0] as number] as number;
      let colour = first;
      let largest = 0;
      for (const l of node.members) {
        const own = (ink.y1[l] as number) - (ink.y0[l] as number);
        heights.push(own);
        const amount = ink.area[l] as number;
        area += amount;
        if (amount > largest) {
          largest = amount;
          colour = ink.colour[l] as number;
        }
        if (colourDistance(first, ink.colour[l] as number) > 60) colours++;
      }
      heights.sort((a, b) => a - b);
      const median = heights[heights.length >> 1] as number;
      const unit = Math.max(4, heights[Math.floor(heights.length * 0.8)] as number);
      value.members = node.members.length;
      value.membersPerHeight = node.members.length / (w / unit);
      value.gapInside = node.gapInside / unit;
      value.gapOutside = Math.min(FAR, node.gapOutside / unit);
      value.gapRatio = Math.min(FAR, node.gapOutside / Math.max(1, node.gapInside));
      value.medianHeight = median;
      value.heightSpread = (heights.at(-1) as number) / Math.max(1, median);
      value.tallest = heights.at(-1) as number;
      value.density = area / (w * h);
      value.contrast = groundColour < 0 ? -1 : colourDistance(colour, groundColour);
      value.saturation = saturationOf(colour);
      value.inkLuminance = luminanceOf(colour);
      value.colours = colours / node.members.length;
      value.isRoot = node.parent < 0 ? 1 : 0;
      value.depth = c.kind === 'row' ? (depths[c.index] as number) : -1;
      const parent = node.parent < 0 ? undefined : (rows[node.parent] as RowNode);
      value.parentGrowth = parent ? (parent.x1 - parent.x0) / w : 0;
      value.underline = underlineOf(scene, node);
      if (node.children.length === 2) {
        const [one, two] = node.children.map((child) => rows[child] as RowNode) as [RowNode, RowNode];
        value.gapChildren = node.gapInside / unit;
        value.colourStep = colourDistance(colourOfNode(scene, one), colourOfNode(scene, two));
        value.heightStep = (one.y1 - one.y0) / (two.y1 - two.y0);
        value.childShare = Math.min(one.members.length, two.members.length) / node.members.length;
      }
      value.alignedLeft = lefts.get(c.x0) ?? 0;
      let aligned = 0;
      let above = FAR;
      let below = FAR;
      for (const { node: other } of sortedRoots) {
        if (other.x1 <= c.x0 || other.x0 >= c.x1) continue;
        if (other.y1 <= c.y0 + h * 0.3) above = Math.min(above, Math.max(0, c.y0 - other.y1) / unit);
        else if (other.y0 >= c.y1 - h * 0.3) {
          below = Math.min(below, Math.max(0, other.y0 - c.y1) / unit);
          break;
        } else if (other.x0 === c.x0) aligned++;
      }
      value.aligned = aligned;
      value.above = above;
      value.below = below;
    }
    const surface = c.kind === 'box' ? c.index : c.surface;
    if (surface >= 0) {
      const box = boxOf(components, surface);
      const sw = box.x1 - box.x0;
      const sh = box.y1 - box.y0;
      value.surfaceWidth = sw;
      value.surfaceHeight = sh;
      value.marginLeft = Math.min(FAR, (c.x0 - box.x0) / h);
      value.marginRight = Math.min(FAR, (box.x1 - c.x1) / h);
      value.marginTop = Math.min(FAR, (c.y0 - box.y0) / h);
      value.marginBottom = Math.min(FAR, (box.y1 - c.y1) / h);
      value.surfaceSolidity = scene.solidity[surface] as number;
      const behind = scene.around[surface] as number;
      value.surfaceContrast =
        behind < 0 ? -1 : colourDistance(components.first[surface] as number, components.first[behind] as number);
      value.surfaceRows = rootsOf.get(surface)?.length ?? 0;
      value.surfaceShare = (w * h) / (sw * sh);
      value.surfaceFramed = framedSurfaces.has(surface) ? 1 : 0;
      value.surfaceLuminance = luminanceOf(components.first[surface] as number);
      value.square = components.square[surface] as number;
    }
    if (c.kind === 'box' || c.kind === 'frame' || c.kind === 'blob') {
      value.solidity = c.kind === 'box' ? (scene.solidity[c.index] as number) : (ink.area[c.index] as number) / (w * h);
      value.groundContrast =
        groundColour < 0
          ? -1
          : colourDistance(
              c.kind === 'box' ? (components.first[c.index] as number) : (ink.colour[c.index] as number),
              groundColour,
            );
      value.framed = c.kind === 'box' && framedSurfaces.has(c.index) ? 1 : 0;
      let count = 0;
      let share = 0;
      let tall = 0;
      let x0 = Number.POSITIVE_INFINITY;
      let x1 = 0;
      let y0 = Number.POSITIVE_INFINITY;
      let y1 = 0;
      for (const { node: other } of roots) {
        if (other.x0 < c.x0 || other.x1 > c.x1 || other.y0 < c.y0 || other.y1 > c.y1) continue;
        count++;
        share += (other.x1 - other.x0) * (other.y1 - other.y0);
        tall = Math.max(tall, other.y1 - other.y0);
        x0 = Math.min(x0, other.x0);
        x1 = Math.max(x1, other.x1);
        y0 = Math.min(y0, other.y0);
        y1 = Math.max(y1, other.y1);
      }
      value.insideRows = count;
      value.insideShare = share / (w * h);
      if (count > 0) {
        value.insideLeft = (x0 - c.x0) / h;
        value.insideCentre = Math.abs((x0 + x1) / 2 - (c.x0 + c.x1) / 2) / w;
        value.insideMiddle = Math.abs((y0 + y1) / 2 - (c.y0 + c.y1) / 2) / h;
        value.insideHeight = tall / h;
      }
      let surfaces = 0;
      for (const other of candidates) {
        if (other.kind === 'box' && other !== c && isInside(other, c)) surfaces++;
      }
      value.insideSurfaces = surfaces;
    }
    FEATURES.forEach((name, f) => {
      result[i * FEATURE_COUNT + f] = value[name] ?? -1;
    });
  });
  void isLine;
  return result;
}

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export const isInside = (inner: Box, outer: Box): boolean =>
  inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 && inner.y1 <= outer.y1;

const isAround = (outer: Box, inner: Box, slack: number): boolean =>
  isInside(inner, outer) &&
  inner.x0 - outer.x0 <= slack &&
  inner.y0 - outer.y0 <= slack &&
  outer.x1 - inner.x1 <= slack &&
  outer.y1 - inner.y1 <= slack;

function colourOfNode({ ink }: Scene, node: RowNode): number {
  let largest = -1;
  let colour = 0;
  for (const l of node.members) {
    if ((ink.area[l] as number) > largest) {
      largest = ink.area[l] as number;
      colour = ink.colour[l] as number;
    }
  }
  return colour;
}

/** 1 when a rule lies right below, or a member is as wide as several letters and flat at its foot. */
function underlineOf({ ink, isLine }: Scene, node: RowNode): number {
  const h = node.y1 - node.y0;
  for (const l of node.members) {
    const w = (ink.x1[l] as number) - (ink.x0[l] as number);
    if (w > 2.5 * ((ink.y1[l] as number) - (ink.y0[l] as number)) && w > 0.5 * (node.x1 - node.x0)) return 1;
  }
  for (let l = 0; l < ink.count; l++) {
    if (!isLine[l] || (ink.y1[l] as number) - (ink.y0[l] as number) > 3) continue;
    const top = ink.y0[l] as number;
    if (top < node.y1 - 3 || top > node.y1 + 0.3 * h) continue;
    const shared = Math.min(node.x1, ink.x1[l] as number) - Math.max(node.x0, ink.x0[l] as number);
    if (shared > 0.8 * (node.x1 - node.x0) && shared > 0.8 * ((ink.x1[l] as number) - (ink.x0[l] as number))) return 1;
  }
  return 0;
}

function saturationOf(colour: number): number {
  const red = colour >> 16;
  const green = (colour >> 8) & 255;
  const blue = colour & 255;
  return Math.max(red, green, blue) - Math.min(red, green, blue);
}

const luminanceOf = (colour: number): number =>
  0.299 * (colour >> 16) + 0.587 * ((colour >> 8) & 255) + 0.114 * (colour & 255);
