import type { Candidate } from './candidates.ts';
import type { Role } from './element.ts';

/** Roles of elements that hold no others, in the order of the classes of the model. */
export const LEARNED_ROLES = [
  'button',
  'icon_button',
  'input',
  'checkbox',
  'text',
  'link',
  'image',
  'tab',
  'menu',
] as const satisfies readonly Role[];

/** Roles of what holds others, in the order of the classes of the model. */
export const CONTAINER_ROLES = ['window', 'panel', 'titlebar', 'toolbar'] as const satisfies readonly Role[];

/** Smaller things hold nothing. Pixels. */
export const isRoomy = ({ kind, x0, x1, y0, y1 }: Candidate): boolean =>
  (kind === 'box' || kind === 'frame') && x1 - x0 >= 60 && y1 - y0 >= 16;
