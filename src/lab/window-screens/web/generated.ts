import { consolePage, page } from '../../window-training/pages/page.ts';
import type { Shown } from '../screen.ts';

/** So many of each kind, each in a look of its own; and families that they are parted into. */
const KINDS = {
  /** Windows with their bars are what no page of a toolkit has. */
  window: { count: 250, families: 10 },
  /** Web pages, terminals and panels: the pages of toolkits alone are too much alike. */
  page: { count: 900, families: 36 },
} as const;
const IS_WINDOW = /data-part="window"/;

/** Windows, pages and consoles of no toolkit, made up from the first letter to the last; they are learned from and judge nothing. */
export function generatedScreens(seed: number): Shown[] {
  const made = { window: [] as Shown[], page: [] as Shown[] };
  for (let k = 0; made.window.length < KINDS.window.count || made.page.length < KINDS.page.count; k++) {
    const html = page(seed * 1_000_000 + k);
    const kind = IS_WINDOW.test(html) ? 'window' : 'page';
    const own = made[kind];
    if (own.length === KINDS[kind].count) continue;
    own.push({
      family: `generated ${kind} ${own.length % KINDS[kind].families}`,
      page: `generated-${k}`,
      source: 'generated',
      show: { html },
      width: 1280,
      height: 800,
      scale: 1,
    });
  }
  return [...made.window, ...made.page, ...consoles(seed)];
}

const CONSOLES = 75;
/** A few of the consoles at each density: their letters are all of one size. */
const DENSITIES = [1, 1, 1.5, 2];

/** Whole screens of letters of one width; of other pages they are a small part. */
const consoles = (seed: number): Shown[] =>
  Array.from({ length: CONSOLES }, (_, k) => ({
    family: `generated console ${k % 3}`,
    page: `generated-console-${k}`,
    source: 'generated',
    show: { html: consolePage(seed * 1_000_000 + 900_000 + k) },
    width: 1280,
    height: 800,
    scale: DENSITIES[k % DENSITIES.length] as number,
  }));
