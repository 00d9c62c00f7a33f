import { seededRandom } from '../../../lib/random/seeded-random.ts';
import { PACKAGES } from '../packages.ts';
import type { Shown } from '../screen.ts';
import { LAYOUTS, pageOf } from './content.ts';
import { DIALECTS } from './dialects.ts';
import { LATE_DIALECTS } from './late-dialects.ts';

interface View {
  width: number;
  height: number;
  scale: number;
}

const USUAL = { width: 1280, height: 800 };
/** Each page at some of the densities, each density with some of the pages; a telephone and the small display of a device too. */
const VIEWS: Record<(typeof LAYOUTS)[number], readonly View[]> = {
  form: [1, 2].map((scale) => ({ ...USUAL, scale })),
  table: [1, 1.5].map((scale) => ({ ...USUAL, scale })),
  dashboard: [1, 1.25, 2].map((scale) => ({ ...USUAL, scale })),
  article: [...[1, 1.5].map((scale) => ({ ...USUAL, scale })), { width: 390, height: 844, scale: 2 }],
  controls: [
    { ...USUAL, scale: 1 },
    { width: 390, height: 844, scale: 1 },
    { width: 800, height: 480, scale: 1 },
  ],
};

/** Pages of random content in the dress of every toolkit. */
export function webScreens(seed: number): Shown[] {
  return [...DIALECTS, ...LATE_DIALECTS].flatMap((dialect, d) =>
    LAYOUTS.flatMap((layout, k) => {
      const html = pageOf(dialect, layout, seededRandom(seed * 100_000 + d * 100 + k));
      return VIEWS[layout].map((view) => ({
        family: dialect.family,
        page: `${dialect.family}-${layout}`,
        source: `npm ${dialect.package}@${PACKAGES[dialect.package]}`,
        show: { html },
        ...view,
      }));
    }),
  );
}
