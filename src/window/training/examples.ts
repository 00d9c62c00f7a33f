import { sceneOf } from '../detect/candidates.ts';
import { CONTAINER_ROLES, isRoomy } from '../detect/containers.ts';
import { overlapOf } from '../detect/element.ts';
import { FEATURE_COUNT, featuresOf } from '../detect/features.ts';
import { LEARNED_ROLES } from '../detect/roles.ts';
import type { Pixels } from '../image/pixels.ts';
import { boxOfItem, labelsOf } from './labels.ts';
import type { TruthItem } from './truth-script.ts';

/** What one page teaches, candidate by candidate. */
export interface Examples {
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

export function examplesOf(pixels: Pixels, truth: readonly TruthItem[]): Examples {
  const scene = sceneOf(pixels);
  const features = featuresOf(scene);
  const labels = labelsOf(pixels, scene.candidates, truth);
  const role = Int8Array.from(scene.candidates, (_, i) => {
    const item = truth[labels.element[i] as number];
    if (!item || (labels.overlap[i] as number) < SURE) return -1;
    const name = item.class === 'text' ? 'text' : item.class === 'graphic' ? 'image' : item.role;
    return LEARNED_ROLES.findIndex((one) => one === name);
  });
  const containers = truth.filter((item) => item.class === 'container' && containerOf(item) >= 0);
  const container = Int8Array.from(scene.candidates, (candidate) => {
    if (!isRoomy(candidate)) return -2;
    const item = containers.find((one) => overlapOf(candidate, boxOfItem(one)) >= SAME_CONTAINER);
    return item ? containerOf(item) : -1;
  });
  return { features, overlap: labels.overlap, role, container };
}

function containerOf({ role, box }: TruthItem): number {
  if (role === 'panel' && Math.min(box.width, box.height) < LEAST_PANEL) return -1;
  return CONTAINER_ROLES.findIndex((one) => one === role);
}

/** Rows of examples in one table. */
export interface Table {
  rows: Float32Array;
  count: number;
}

/** Copies the rows that are wanted of many pages into one table, and hands each to `take` with its place there. */
export function tableOf(
  pages: readonly Examples[],
  isWanted: (page: Examples, i: number) => boolean,
  take: (page: Examples, i: number, at: number) => void,
): Table {
  const wanted = pages.map((page) => [...page.overlap.keys()].filter((i) => isWanted(page, i)));
  const count = wanted.reduce((sum, rows) => sum + rows.length, 0);
  const rows = new Float32Array(count * FEATURE_COUNT);
  let at = 0;
  pages.forEach((page, p) => {
    for (const i of wanted[p] as number[]) {
      rows.set(page.features.subarray(i * FEATURE_COUNT, (i + 1) * FEATURE_COUNT), at * FEATURE_COUNT);
      take(page, i, at++);
    }
  });
  return { rows, count };
}
