import type { Pixels } from '../image/pixels.ts';
import { markBorders } from './attached-letters.ts';
import { around } from './box-index.ts';
import { clusterNodes } from './clusters.ts';
import { type ColourComponents, colourComponents } from './components.ts';
import { takeDottedGround } from './dotted-ground.ts';
import type { Box } from './element.ts';
import { boxOf, type Ink, inkMask, inkOf, isSurface, TALLEST_GLYPH } from './ink.ts';
import { joinedBoxes } from './joined-boxes.ts';
import { largeLetters } from './large-letters.ts';
import { type River, riverOf } from './rivers.ts';
import { type RowNode, rowNodes } from './rows.ts';
import { solidities, surroundings } from './surfaces.ts';
import { isInside } from './surroundings.ts';
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
  /** Too much for the bounds on this work: long rows that were not joined, ink whose neighbours and borders whose letters were not looked at. */
  overlooked: { rows: number; crowded: number; borders: number };
}

const TOLERANCE = 2;
const MOST_GAP = 6;
/** Pieces of ink that may be of rows, by the pixels of a picture, and in a small one: pages full of text have a fourth of it. */
const MOST_PIECES = 1 / 24;
const LEAST_PIECES = 1000;
/** Least height of a sign two pixels wide, and room beside it: a colon, a bar. Pixels. */
const LEAST_SIGN = 5;
const SIGN_GAP = 4;

export function sceneOf(pixels: Pixels): Scene {
  const { width, height } = pixels;
  const components = colourComponents(pixels, TOLERANCE);
  const surface = new Uint8Array(components.count);
  for (let l = 0; l < components.count; l++) surface[l] = isSurface(components, l) ? 1 : 0;
  const large = largeLetters(components);
  for (const l of large) surface[l] = 0;
  const isInk = inkMask(components, surface);
  const underlines = takeUnderlines(components, isInk);
  const all = inkOf(components, surface, isInk);
  const joined = takeDottedGround(all, components, isInk) ? inkOf(components, surface, isInk) : all;
  const borders = markBorders(joined, width, isInk);
  const ink = borders.isAny ? inkOf(components, surface, isInk) : joined;
  const isLarge = largeInks(components, ink, large);
  const isLine = new Uint8Array(ink.count);
  const pieces: number[] = [];
  for (let l = 0; l < ink.count; l++) {
    if (isLarge.has(l)) pieces.push(l);
    else if (isRule(ink, l) || isHollow(ink, l)) isLine[l] = 1;
    else if ((ink.y1[l] as number) - (ink.y0[l] as number) <= TALLEST_GLYPH) pieces.push(l);
  }
  const atoms = withoutSpecks(ink, pieces);
  const river = riverOf(components, surface, ink, isLine);
  const { nodes: rows, unjoined, crowded } = rowNodes(ink, atoms, height, { mostGap: MOST_GAP, river });
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
    overlooked: { rows: unjoined, crowded: crowded + pieces.length - atoms.length, borders: borders.left },
  };
  scene.candidates = candidatesOf(scene, isLarge);
  return scene;
}

/** Farther beyond its letters ink is a line that touches them. Pixels. */
const AROUND_LETTERS = 6;

/** The ink that is large letters: that holds the first pixel of each, and hardly more. */
function largeInks(components: ColourComponents, ink: Ink, large: readonly number[]): Set<number> {
  const { label, width } = components;
  const boxes = new Map<number, Box>();
  for (const l of large) {
    const box = boxOf(components, l);
    const row = box.y0 * width;
    const at = label.subarray(row + box.x0, row + box.x1).indexOf(l);
    const piece = ink.label[row + box.x0 + at] as number;
    if (piece < 0) continue;
    const { x0, y0, x1, y1 } = boxes.get(piece) ?? box;
    boxes.set(piece, {
      x0: Math.min(x0, box.x0),
      y0: Math.min(y0, box.y0),
      x1: Math.max(x1, box.x1),
      y1: Math.max(y1, box.y1),
    });
  }
  return new Set(
    [...boxes.keys()].filter((piece) =>
      isInside(boxOf(ink, piece), around(boxes.get(piece) as Box, AROUND_LETTERS)),
    ),
  );
}

/** A minus belongs to the number behind it. By the height of that number: the highest and the widest minus, the widest gap, and the rows of its middle. */
const MINUS = { high: 0.25, wide: 0.9, gap: 0.4, from: 0.25, to: 0.75 };
/** A dash with nearly as wide a gap before it stands between two words. */
const BETWEEN = 1.5;

/** Whether a row is what follows a minus, without it. */
function isWithoutMinus(
  rows: readonly RowNode[],
  { x0, y0, y1, gapOutside, sibling, parent }: RowNode,
): boolean {
  const [sign, whole] = [rows[sibling], rows[parent]];
  const height = y1 - y0;
  if (!sign || !whole || sign.count > 1 || sign.x1 > x0 || gapOutside > MINUS.gap * height) return false;
  const [wide, high] = [sign.x1 - sign.x0, sign.y1 - sign.y0];
  if (high > Math.max(2, MINUS.high * height) || wide < 2 * high || wide > MINUS.wide * height) return false;
  const middle = (sign.y0 + sign.y1) / 2;
  if (middle < y0 + MINUS.from * height || middle > y0 + MINUS.to * height) return false;
  const before = rows[whole.sibling];
  return !before || before.x0 > x0 || whole.gapOutside > BETWEEN * gapOutside;
}

/** As many pieces of ink as work and memory suffice for: of more than that the smallest are left out, as of a picture of dots. */
function withoutSpecks(ink: Ink, pieces: readonly number[]): readonly number[] {
  const most = Math.max(LEAST_PIECES, Math.floor(MOST_PIECES * ink.label.length));
  if (pieces.length <= most) return pieces;
  const areas = Int32Array.from(pieces, (l) => ink.area[l] as number).sort();
  const speck = areas[pieces.length - 1 - most] as number;
  return pieces.filter((l) => (ink.area[l] as number) > speck);
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

function candidatesOf(
  { components, isSurface: surface, ink, isLine, rows, clusters }: Scene,
  isLarge: ReadonlySet<number>,
): Candidate[] {
  const { width, height } = components;
  const candidates: Candidate[] = [];
  for (let l = 0; l < components.count; l++) {
    if (!surface[l]) continue;
    const box = boxOf(components, l);
    if ((box.x1 - box.x0) * (box.y1 - box.y0) > 0.9 * width * height) continue;
    candidates.push({ kind: 'box', ...box, surface: l, index: l });
  }
  candidates.push(...joinedBoxes(candidates));
  for (let l = 0; l < ink.count; l++) {
    const box = boxOf(ink, l);
    const w = box.x1 - box.x0;
    const h = box.y1 - box.y0;
    if (w < 8 || h < 8) continue;
    if (isLine[l]) candidates.push({ kind: 'frame', ...box, surface: ink.surface[l] as number, index: l });
    else if (h > TALLEST_GLYPH && !isLarge.has(l))
      candidates.push({ kind: 'blob', ...box, surface: ink.surface[l] as number, index: l });
  }
  rows.forEach((row, index) => {
    const { x0, y0, x1, y1, first, gapOutside } = row;
    if (isWithoutMinus(rows, row)) return;
    // A thin stroke is a sign when it stands alone.
    if (x1 - x0 < (y1 - y0 >= LEAST_SIGN && gapOutside >= SIGN_GAP ? 2 : 3) || y1 - y0 < 3) return;
    candidates.push({
      kind: 'row',
      x0,
      y0,
      x1,
      y1,
      surface: ink.surface[first] as number,
      index,
    });
  });
  clusters.forEach((row, index) => {
    const { x0, y0, x1, y1, first } = row;
    candidates.push({
      kind: 'cluster',
      x0,
      y0,
      x1,
      y1,
      surface: ink.surface[first] as number,
      index,
    });
  });
  return candidates;
}
