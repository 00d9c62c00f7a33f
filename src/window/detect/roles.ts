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

/**
 * Role of an element that was chosen: the surest answer of all candidates that have its box.
 *
 * @param twins their rows of the table of features
 */
export function roleOf(features: Float32Array, twins: readonly number[]): Role {
  const { roles } = model();
  let best = 'text' as Role;
  let most = Number.NEGATIVE_INFINITY;
  for (const row of twins) {
    LEARNED_ROLES.forEach((role, c) => {
      const logit = roles.logit(features, row, c);
      if (logit <= most) return;
      most = logit;
      best = role;
    });
  }
  return best;
}
