import { type Random, seededRandom } from '../../../lib/random/seeded-random.ts';
import { desktop } from './desktop.ts';
import { Look } from './look.ts';
import { toolkit } from './toolkits.ts';
import { web } from './web.ts';

/** One generated page: a web page or a desktop-like window, in a look of its own. @param seed the same page for the same seed */
export function page(seed: number): string {
  const random: Random = seededRandom(seed);
  const look = new Look(random);
  const kind = look.number(0, 1);
  const body = kind < 0.3 ? toolkit(look) : kind < 0.42 ? desktop(look) : web(look);
  return `<!doctype html><html><head><meta charset="utf-8"><style>${look.css()}</style></head><body>${body}</body></html>`;
}
