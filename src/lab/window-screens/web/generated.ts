import { page } from '../../window-training/pages/page.ts';
import type { Shown } from '../screen.ts';

/** So many of them, each in a look of its own. */
const COUNT = 250;
/** Windows with their bars are what no page of a toolkit has. */
const IS_WINDOW = /data-part="window"/;

/** Windows of no toolkit, made up from the first letter to the last; they are learned from and judge nothing. */
export function generatedScreens(seed: number): Shown[] {
  const screens: Shown[] = [];
  for (let k = 0; screens.length < COUNT; k++) {
    const html = page(seed * 1_000_000 + k);
    if (!IS_WINDOW.test(html)) continue;
    screens.push({
      family: `generated ${screens.length % 10}`,
      page: `generated-${k}`,
      source: 'generated',
      show: { html },
      width: 1280,
      height: 800,
      scale: 1,
    });
  }
  return screens;
}
