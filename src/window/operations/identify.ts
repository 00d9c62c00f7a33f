import type { DetectedElement } from '../detect/element.ts';

/** An element with the name that it has in documents. */
export interface IdentifiedElement extends Omit<DetectedElement, 'parent'> {
  /** `button_3`: unique in its image, counted in reading order. */
  id: string;
  /** Of the smallest element around it. */
  parent: string | null;
}

export function identified(elements: readonly DetectedElement[]): IdentifiedElement[] {
  const counts = new Map<string, number>();
  const ids = elements.map(({ role }) => {
    const count = (counts.get(role) ?? 0) + 1;
    counts.set(role, count);
    return `${role}_${count}`;
  });
  return elements.map((element, index) => ({
    ...element,
    id: ids[index] ?? '',
    parent: element.parent === null ? null : (ids[element.parent] ?? null),
  }));
}
