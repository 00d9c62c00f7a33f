import { BoxIndex, middleOf } from './box-index.ts';
import { areaOf, type Box, type DetectedElement, sharedArea } from './element.ts';
import { readingOrder, usualWork, type Work } from './reading.ts';

/** Share of an element that lies in another for that to be its parent. */
const INSIDE = 0.9;
/** Fewer elements on a surface need no order of their own. */
const FEWEST_GROUPED = 2;

type Loose = Omit<DetectedElement, 'parent'>;

/**
 * Gives every element its parent, and puts each parent before its children and those in the order in which one reads.
 *
 * @param surfaces areas of the image, such as tiles of a panel: what lies on one is read together, also when it is no element
 */
export function inReadingOrder(
  elements: readonly Loose[],
  surfaces: readonly Box[] = [],
  work: Work = usualWork(),
): DetectedElement[] {
  const own = elements.map(({ box }) => box);
  const ownIndex = new BoxIndex(own);
  const groups = surfaces.filter((surface) => {
    let count = 0;
    return ownIndex.some(surface, (i) => isWithin(own[i] as Box, surface) && ++count >= FEWEST_GROUPED);
  });
  const boxes = [...own, ...groups];
  const index = new BoxIndex(boxes);
  const children = new Map<number, number[]>();
  boxes.forEach((_, i) => {
    const up = parentOf(boxes, index, i);
    const inside = children.get(up);
    if (inside) inside.push(i);
    else children.set(up, [i]);
  });
  const ordered: DetectedElement[] = [];
  const walk = (up: number, place: number | null): void => {
    const inside = children.get(up) ?? [];
    for (const k of readingOrder(
      inside.map((i) => boxes[i] as Box),
      work,
    )) {
      const i = inside[k] as number;
      const element = elements[i];
      if (!element) {
        walk(i, place);
        continue;
      }
      const own = ordered.length;
      ordered.push({ ...element, parent: place });
      walk(i, own);
    }
  };
  walk(-1, null);
  return ordered;
}

const isWithin = (box: Box, surface: Box): boolean =>
  areaOf(box) < areaOf(surface) && sharedArea(box, surface) >= INSIDE * areaOf(box);

function parentOf(boxes: readonly Box[], index: BoxIndex, own: number): number {
  const box = boxes[own] as Box;
  const area = areaOf(box);
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  index.forEach(middleOf(box), (i) => {
    const other = boxes[i] as Box;
    const size = areaOf(other);
    // Of two of one size the first is the parent, so that there is no circle.
    if (i === own || size < area || (size === area && i > own)) return;
    if (size > least || (size === least && i > best)) return;
    if (sharedArea(box, other) < INSIDE * area) return;
    best = i;
    least = size;
  });
  return best;
}
