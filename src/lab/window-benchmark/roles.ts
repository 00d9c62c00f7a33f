import type { DetectedElement } from '../../window/detect/element.ts';
import type { Score, Tally } from './score.ts';

/** What has to be told apart. */
const TOLD = ['button', 'link', 'text'] as const;
export const ROLES_OF_CONTROLS = [
  'button',
  'icon_button',
  'link',
  'input',
  'checkbox',
  'tab',
  'menu',
] as const;

/** How often a found element has the role that the truth gives it. */
export class RoleTally {
  readonly #of = new Map<string, Tally>();
  readonly #told: Tally = { found: 0, all: 0 };

  add(found: readonly DetectedElement[], { matches }: Score): void {
    for (const { predicted, item } of matches) {
      const role = item.class === 'text' ? 'text' : item.role;
      if (role === undefined || !([...ROLES_OF_CONTROLS, 'text'] as string[]).includes(role)) continue;
      const isRight = found[predicted]?.role === role;
      const tally = this.#of.get(role) ?? { found: 0, all: 0 };
      this.#of.set(role, tally);
      for (const one of (TOLD as readonly string[]).includes(role) ? [tally, this.#told] : [tally]) {
        one.all++;
        if (isRight) one.found++;
      }
    }
  }

  /** Shares, role by role, and the mean of those that have to be told apart: else the many texts would hide the few links. */
  toString(): string {
    const share = ({ found, all }: Tally) => (found / Math.max(1, all)).toFixed(3);
    const told = TOLD.map((role) => this.#of.get(role)).filter((tally) => tally !== undefined);
    const mean = told.reduce((sum, { found, all }) => sum + found / all, 0) / Math.max(1, told.length);
    const each = [...this.#of].map(([role, tally]) => `${role} ${share(tally)} of ${tally.all}`);
    return `buttons, links and texts told apart: ${mean.toFixed(3)} (all together ${share(this.#told)}); ${each.join(', ')}`;
  }
}
