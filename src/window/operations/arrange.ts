import { type Box, overlap } from '../compare/box.ts';
import type { DetectedElement } from './detector.ts';

/** Two elements that overlap more than this are one. */
const SAME = 0.85;
/** Share of the smaller one's height by which two elements must overlap to stand in one row. */
const SAME_ROW = 0.5;

export interface ArrangedElement extends Omit<DetectedElement, 'parent'> {
  /** `button_3`: unique in its image. */
  id: string;
  parent: string | null;
}

/** Detected elements without doubles, in reading order inside each parent, parents before what they hold, with ids. */
export function arranged(elements: readonly DetectedElement[]): ArrangedElement[] {
  const kept = withoutDoubles(elements);
  const children = new Map<number | null, number[]>();
  for (const index of kept.indices) {
    const parent = kept.parentOf(index);
    children.set(parent, [...(children.get(parent) ?? []), index]);
  }
  const arranged: ArrangedElement[] = [];
  const counts = new Map<string, number>();
  const visit = (parent: number | null, parentId: string | null) => {
    const entries = (children.get(parent) ?? []).map((index) => ({
      index,
      element: elements[index] as DetectedElement,
    }));
    for (const { index, element } of inReadingOrder(entries)) {
      const count = (counts.get(element.role) ?? 0) + 1;
      counts.set(element.role, count);
      const id = `${element.role}_${count}`;
      arranged.push({ ...element, id, parent: parentId });
      visit(index, id);
    }
  };
  visit(null, null);
  return arranged;
}

/** Of two that are one the surer one stays; what lay in the other one lies in it. */
function withoutDoubles(elements: readonly DetectedElement[]) {
  const order = elements
    .map((_, index) => index)
    .sort((a, b) => confidence(elements, b) - confidence(elements, a) || a - b);
  const standsFor = new Map<number, number>();
  const indices: number[] = [];
  for (const index of order) {
    const { box } = elements[index] as DetectedElement;
    const same = indices.find((other) => overlap(box, (elements[other] as DetectedElement).box) > SAME);
    standsFor.set(index, same ?? index);
    if (same === undefined) indices.push(index);
  }
  indices.sort((a, b) => a - b);
  const parentOf = (index: number): number | null => {
    const seen = new Set([index]);
    for (let parent = elements[index]?.parent ?? null; parent !== null; ) {
      const kept = standsFor.get(parent);
      if (kept === undefined || seen.has(parent)) return null;
      if (kept !== index) return leadsTo(elements, standsFor, kept, index) ? null : kept;
      seen.add(parent);
      parent = elements[parent]?.parent ?? null;
    }
    return null;
  };
  return { indices, parentOf };
}

/** Whether `from` lies in `to` already: two that were doubles must not hold each other. */
function leadsTo(
  elements: readonly DetectedElement[],
  standsFor: Map<number, number>,
  from: number,
  to: number,
): boolean {
  const seen = new Set<number>();
  for (let at: number | null = from; at !== null && !seen.has(at); ) {
    seen.add(at);
    const parent: number | null = elements[at]?.parent ?? null;
    at = parent === null ? null : (standsFor.get(parent) ?? null);
    if (at === to) return true;
  }
  return false;
}

const confidence = (elements: readonly DetectedElement[], index: number) => elements[index]?.confidence ?? 0;

/** From top to bottom in rows, in a row from left to right. */
export function inReadingOrder<T extends { element: { box: Box } }>(entries: readonly T[]): T[] {
  const byTop = [...entries].sort(
    (a, b) => a.element.box.y0 - b.element.box.y0 || a.element.box.x0 - b.element.box.x0,
  );
  const rows: T[][] = [];
  for (const entry of byTop) {
    const row = rows[rows.length - 1];
    const first = row?.[0];
    if (row && first && isInRow(first.element.box, entry.element.box)) row.push(entry);
    else rows.push([entry]);
  }
  return rows.flatMap((row) =>
    row.sort((a, b) => a.element.box.x0 - b.element.box.x0 || a.element.box.y0 - b.element.box.y0),
  );
}

function isInRow(a: Box, b: Box): boolean {
  const common = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return (
    common >= SAME_ROW * Math.min(a.y1 - a.y0, b.y1 - b.y0) &&
    common >= (SAME_ROW / 2) * Math.max(a.y1 - a.y0, b.y1 - b.y0)
  );
}
