import type { Role } from './element.ts';
import { model } from './model.ts';

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

/** Role of an element that was chosen. @param row of the table of features */
export function roleOf(features: Float32Array, row: number): Role {
  return LEARNED_ROLES[model().roles.classify(features, row)] ?? 'text';
}
