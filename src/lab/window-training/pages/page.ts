import { type Random, seededRandom } from '../../../lib/random/seeded-random.ts';
import { consoleScreen } from './consoles.ts';
import { desktop } from './desktop.ts';
import { instrumentPanel } from './instruments.ts';
import { Look } from './look.ts';
import { THEMES } from './toolkit-themes.ts';
import { toolkit } from './toolkits.ts';
import { web } from './web.ts';

/** One generated page: a web page or a desktop-like window, in a look of its own. @param seed the same page for the same seed */
export function page(seed: number): string {
  const random: Random = seededRandom(seed);
  const look = new Look(random);
  const kind = look.number(0, 1);
  const body =
    kind < 0.28 ? toolkit(look) : kind < 0.4 ? desktop(look) : kind < 0.46 ? screenful(look) : web(look);
  return documentOf(look, body);
}

/** A terminal, a log or a listing that fills the screen. @param seed the same for the same seed */
export function consolePage(seed: number): string {
  const look = new Look(seededRandom(seed));
  return documentOf(look, `<style>body{margin:0}</style>${consoleScreen(look)}`);
}

const documentOf = (look: Look, body: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><style>${look.css()}</style></head><body>${body}</body></html>`;

/** A screen without a window around it: of a terminal, or of a device. */
function screenful(look: Look): string {
  if (look.chance(0.5)) return consoleScreen(look);
  const theme = look.pick(THEMES);
  return `<div style="min-height:760px;padding:${look.whole(6, 30)}px;background:${theme.ground};color:${theme.ink}">${instrumentPanel(look, theme)}</div>`;
}
