import { CONTAINER_ROLES, isRoomy, LEARNED_ROLES } from '../../window/detect/classes.ts';
import type { Judged } from '../../window/detect/context.ts';
import { overlapOf } from '../../window/detect/element.ts';
import { FEATURE_COUNT, featuresOf } from '../../window/detect/features.ts';
import { usualScene } from '../../window/detect/usual-scene.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import type { Screen, TruthBox, TruthItem } from '../window-benchmark/truth.ts';
import { boxOfItem, labelsOf } from './labels.ts';

/** What one screen teaches, candidate by candidate. */
export interface Examples extends Judged {
  family: string;
  features: Float32Array;
  /** Best IoU with an element. */
  overlap: Float32Array;
  /** Place in LEARNED_ROLES of the element that it is, -1 for none. */
  role: Int8Array;
  /** Place in CONTAINER_ROLES of the container that it is, -1 for none, -2 for a candidate that can be none. */
  container: Int8Array;
}

/** Overlap from which a candidate has the role of its element, or is its container. */
const SURE = 0.6;
const SAME_CONTAINER = 0.75;
/** Painted boxes smaller than this are no panels. Pixels. */
const LEAST_PANEL = 50;

export function examplesOf(picture: Pixels, { family, items }: Pick<Screen, 'family' | 'items'>): Examples {
  const { scene, factor } = usualScene(picture);
  const truth = items.map((item) => ({
    ...item,
    box: scaled(item.box, 1 / factor),
    ...(item.ink ? { ink: scaled(item.ink, 1 / factor) } : {}),
  }));
  const features = featuresOf(scene);
  const labels = labelsOf(scene.candidates, truth);
  const role = Int8Array.from(scene.candidates, (_, i) => {
    const item = truth[labels.element[i] as number];
    if (!item || (labels.overlap[i] as number) < SURE) return -1;
    const name = item.class === 'text' ? 'text' : item.class === 'graphic' ? 'image' : item.role;
    return (LEARNED_ROLES as readonly (string | undefined)[]).indexOf(name);
  });
  const containers = truth.filter((item) => item.class === 'container' && containerOf(item) >= 0);
  const container = Int8Array.from(scene.candidates, (candidate) => {
    if (!isRoomy(candidate)) return -2;
    const item = containers.find((one) => overlapOf(candidate, boxOfItem(one)) >= SAME_CONTAINER);
    return item ? containerOf(item) : -1;
  });
  return {
    family,
    candidates: scene.candidates,
    rows: scene.rows.map(({ parent, sibling, children }) => ({ parent, sibling, children })),
    features,
    overlap: labels.overlap,
    role,
    container,
  };
}

function scaled({ x, y, width, height }: TruthBox, by: number): TruthBox {
  const [x0, y0] = [Math.round(x * by), Math.round(y * by)];
  return {
    x: x0,
    y: y0,
    width: Math.round((x + width) * by) - x0,
    height: Math.round((y + height) * by) - y0,
  };
}

function containerOf({ role, box }: TruthItem): number {
  if (role === 'panel' && Math.min(box.width, box.height) < LEAST_PANEL) return -1;
  return (CONTAINER_ROLES as readonly (string | undefined)[]).indexOf(role);
}

/** Copies the features of the candidates that are wanted of many pages into one table. */
export function tableOf(pages: readonly Examples[], wanted: readonly (readonly number[])[]): Float32Array {
  const count = wanted.reduce((sum, rows) => sum + rows.length, 0);
  const table = new Float32Array(count * FEATURE_COUNT);
  let at = 0;
  pages.forEach(({ features }, p) => {
    for (const i of wanted[p] as readonly number[]) {
      table.set(features.subarray(i * FEATURE_COUNT, (i + 1) * FEATURE_COUNT), at);
      at += FEATURE_COUNT;
    }
  });
  return table;
}

/** A value of each of those candidates, in the order of the table. */
export function columnOf(
  pages: readonly Examples[],
  wanted: readonly (readonly number[])[],
  value: (page: Examples, i: number) => number,
): Float32Array {
  return Float32Array.from(
    pages.flatMap((page, p) => (wanted[p] as readonly number[]).map((i) => value(page, i))),
  );
}
