import { LEARNED_ROLES } from './classes.ts';
import type { Role } from './element.ts';
import type { Forest } from './forest.ts';

/**
 * Role of an element that was chosen: the surest answer of all candidates that have its box.
 *
 * @param twins their rows of the table of features
 */
export function roleOf(features: Float32Array, twins: readonly number[], forest: Forest): Role {
  let best = 'text' as Role;
  let most = Number.NEGATIVE_INFINITY;
  for (const row of twins) {
    LEARNED_ROLES.forEach((role, c) => {
      const logit = forest.logit(features, row, c);
      if (logit <= most) return;
      most = logit;
      best = role;
    });
  }
  return best;
}
