import { areaOf, type Box, type DetectedElement, sharedArea } from './element.ts';

/** Share of an element that lies in another for that to be its parent. */
const INSIDE = 0.9;
/** Share of the lower of two elements that lies beside the other for both to be of one line. */
const BESIDE = 0.5;

type Loose = Omit<DetectedElement, 'parent'>;

/** Gives every element its parent, and puts each parent before its children and those in the order in which one reads. */
export function inReadingOrder(elements: readonly Loose[]): DetectedElement[] {
  const parent = elements.map(({ box }, i) => parentOf(elements, box, i));
  const children = new Map<number, number[]>();
  parent.forEach((up, i) => {
    children.set(up, [...(children.get(up) ?? []), i]);
  });
  const ordered: DetectedElement[] = [];
  const walk = (up: number, place: number | null): void => {
    for (const i of read(elements, children.get(up) ?? [])) {
      const own = ordered.length;
      ordered.push({ ...(elements[i] as Loose), parent: place });
      walk(i, own);
    }
  };
  walk(-1, null);
  return ordered;
}

function parentOf(elements: readonly Loose[], box: Box, own: number): number {
  const area = areaOf(box);
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  elements.forEach(({ box: other }, i) => {
    const size = areaOf(other);
    // Of two of one size the first is the parent, so that there is no circle.
    if (i === own || size < area || (size === area && i > own) || size >= least) return;
    if (sharedArea(box, other) < INSIDE * area) return;
    best = i;
    least = size;
  });
  return best;
}

/** Lines from top to bottom, each from left to right. */
function read(elements: readonly Loose[], indices: readonly number[]): number[] {
  const box = (i: number): Box => (elements[i] as Loose).box;
  const rest = [...indices].sort((a, b) => box(a).y0 - box(b).y0 || box(a).x0 - box(b).x0 || a - b);
  const lines: { y0: number; y1: number; members: number[] }[] = [];
  for (const i of rest) {
    const { y0, y1 } = box(i);
    const line = lines.find((other) => {
      const shared = Math.min(y1, other.y1) - Math.max(y0, other.y0);
      return shared >= BESIDE * Math.min(y1 - y0, other.y1 - other.y0);
    });
    if (line) line.members.push(i);
    else lines.push({ y0, y1, members: [i] });
  }
  return lines.flatMap(({ members }) => members.sort((a, b) => box(a).x0 - box(b).x0 || a - b));
}
