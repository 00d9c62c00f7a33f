/** What an element is to a person. The first four hold others. */
export const ROLES = [
  'window',
  'panel',
  'titlebar',
  'toolbar',
  'button',
  'icon_button',
  'input',
  'checkbox',
  'text',
  'link',
  'image',
  'tab',
  'menu',
] as const;

export type Role = (typeof ROLES)[number];

export interface Box {
  x0: number;
  y0: number;
  /** Exclusive. */
  x1: number;
  y1: number;
}

export interface DetectedElement {
  role: Role;
  /** Whole pixels. */
  box: Box;
  /** Probability that a person sees one element in this box, 0..1. */
  confidence: number;
  /** Of its ink for texts and signs, of its border for a frame, else of its ground: `#RRGGBB`. */
  color: string;
  /** Index of the smallest element around it, null for none. */
  parent: number | null;
  /** Stage that has found its box: `row`, `cluster`, `box`, `frame` or `blob`. */
  source: string;
}

/** Only the box of something that has one. */
export const boxFrom = ({ x0, y0, x1, y1 }: Box): Box => ({ x0, y0, x1, y1 });

export const areaOf = (box: Box): number => (box.x1 - box.x0) * (box.y1 - box.y0);

export function sharedArea(a: Box, b: Box): number {
  const w = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const h = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return w > 0 && h > 0 ? w * h : 0;
}

/** Intersection over union, 0..1. */
export function overlapOf(a: Box, b: Box): number {
  const shared = sharedArea(a, b);
  return shared === 0 ? 0 : shared / (areaOf(a) + areaOf(b) - shared);
}
