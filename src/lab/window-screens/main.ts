import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../lib/clock/clock.ts';
import { decodePng } from '../../window/image/png/decode.ts';
import { Browser } from '../window-training/browser.ts';
import { pupilsOf } from '../window-training/pupils.ts';
import { TRUTH_SCRIPT, type TruthItem } from '../window-training/truth-script.ts';
import { DEBIAN_PACKAGES, openDisplay, pictureOf, windows } from './desktop/programs.ts';
import { serveFiles } from './file-server.ts';
import { fetchPackages, PACKAGES } from './packages.ts';
import { idOf, type Shown } from './screen.ts';
import { SPLITS, splitOf } from './split.ts';
import { type Known, truthFile } from './truth-file.ts';
import { generatedScreens } from './web/generated.ts';
import { packagePages } from './web/package-pages.ts';
import { panelScreens } from './web/panels.ts';
import { webScreens } from './web/screens.ts';
import { terminalScreens } from './web/terminals.ts';

const USAGE = `Makes the screens that the detector is tuned on (dev) and judged by (held, late), each with its known elements.

  npm run screens -- [--out node_modules/.cache/svc-rig/screens] [--seed 1] [--only WORD] [--missing] [--part learned|held|late] [--chromium /usr/bin/chromium]

npm packages are fetched into OUT/packages; of Debian these are needed:
  ${DEBIAN_PACKAGES}
 dev, held and late get <id>.png and <id>.gt.json. --only makes those screens of which the
name has the word, and keeps the others; --missing makes those that are not there yet; --part learned makes
those of dev that "npm run train:window" learns from, --part held those that are held back, --part late those of
families that came when the detector had been made: each at most a third of the work.
`;

const BROWSERS = 2;
/** Scripts of a page go on for a moment after it is loaded. */
/** Pages that move all the time are taken as they are then. */
const MOST_LOOKS = 6;
const SETTLE_MS = 300;
/** A page that shows fewer has failed. */
const LEAST_ELEMENTS = 4;
const STILL = `document.head.append(Object.assign(document.createElement('style'), { textContent: '*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important;scroll-behavior:auto!important}' }))`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'node_modules/.cache/svc-rig/screens' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      missing: { type: 'boolean', default: false },
      part: { type: 'string' },
      chromium: { type: 'string', default: '/usr/bin/chromium' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (values.part !== undefined && !['learned', 'held', 'late'].includes(values.part))
    throw new Error(`--part is ${JSON.stringify(values.part)}: it must be learned, held or late`);
  const out = resolve(values.out);
  const packages = join(out, 'packages');
  fetchPackages(packages, Object.keys(PACKAGES));
  for (const split of SPLITS) {
    if (values.only === '' && !values.missing && values.part === undefined)
      rmSync(join(out, split), { recursive: true, force: true });
    mkdirSync(join(out, split), { recursive: true });
  }
  const seed = Number(values.seed);
  const isThere = ({ family, page }: Pick<Shown, 'family' | 'page'>, id: string) =>
    existsSync(join(out, splitOf(family, page), `${id}.gt.json`));
  const partOf = ({ family, page }: Pick<Shown, 'family' | 'page'>, id: string) =>
    splitOf(family, page) !== 'dev' ? splitOf(family, page) : learned.has(id) ? 'learned' : 'others';
  const isWanted = (screen: Pick<Shown, 'family' | 'page' | 'scale' | 'width'>) => {
    const id = idOf(screen);
    if (values.part !== undefined && values.part !== partOf(screen, id)) return false;
    return id.includes(values.only) && !(values.missing && isThere(screen, id));
  };
  const pages = [
    ...webScreens(seed),
    ...packagePages(),
    ...terminalScreens(seed),
    ...panelScreens(seed),
    ...generatedScreens(seed),
  ];
  const desktop = windows(seed).map((window) => ({ ...window, width: 1280 }));
  const learned = new Set(
    pupilsOf(
      [...pages, ...desktop]
        .filter(({ family, page }) => splitOf(family, page) === 'dev')
        .map((screen) => ({ id: idOf(screen), family: screen.family })),
    ).map(({ id }) => id),
  );
  const screens = pages.filter(isWanted);
  const programs = desktop.filter(isWanted);
  const made = new Map<string, number>();
  const keep = async (known: Omit<Known, 'id'>, id: string, png: Buffer, items: readonly TruthItem[]) => {
    if (
      items.filter(({ class: name }) => name === 'text' || name === 'interactive').length < LEAST_ELEMENTS
    ) {
      process.stderr.write(`left out, too little to see: ${id}\n`);
      return;
    }
    const truth = truthFile({ ...known, id }, await decodePng(png), items);
    const folder = join(out, splitOf(known.family, known.page));
    writeFileSync(join(folder, `${id}.png`), png);
    writeFileSync(join(folder, `${id}.gt.json`), JSON.stringify(truth));
    made.set(known.family, (made.get(known.family) ?? 0) + 1);
  };
  if (programs.length > 0) {
    const { display, close } = await openDisplay();
    try {
      for (const window of programs) {
        const { png, items } = pictureOf(window, display);
        await keep({ ...window, kind: 'desktop' }, idOf(window), png, items);
      }
    } finally {
      close();
    }
  }
  const server = await serveFiles(packages);
  let next = 0;
  const look = async (): Promise<void> => {
    const browser = await Browser.open(values.chromium, { width: 1280, height: 800 });
    try {
      for (let i = next++; i < screens.length; i = next++) await take(browser, screens[i] as Shown);
    } finally {
      await browser.close();
    }
  };
  /** A picture before and after which the page was laid out alike: some of it may come late. */
  const seenAlike = async (browser: Browser): Promise<{ png: Buffer; items: TruthItem[] }> => {
    await browser.drawn();
    let items = (await browser.evaluate(TRUTH_SCRIPT)) as TruthItem[];
    for (let look = 1; ; look++) {
      const png = await browser.shot();
      const after = (await browser.evaluate(TRUTH_SCRIPT)) as TruthItem[];
      if (JSON.stringify(after) === JSON.stringify(items) || look === MOST_LOOKS)
        return { png, items: after };
      items = after;
      await systemClock.sleep(SETTLE_MS);
      await browser.drawn();
    }
  };
  const take = async (browser: Browser, screen: Shown): Promise<void> => {
    const { show, width, height, scale } = screen;
    await browser.zoom(scale, { width, height });
    const id = idOf(screen);
    let path: string;
    if ('html' in show) {
      path = `/.page-${id}.html`;
      writeFileSync(join(packages, path), show.html);
    } else path = show.path;
    await browser.visit(`${server.origin}${path}`);
    if ('html' in show) rmSync(join(packages, path));
    await browser.evaluate(STILL);
    await systemClock.sleep(SETTLE_MS);
    if ('path' in show && show.scroll) await browser.evaluate(`scrollTo(0, ${show.scroll})`);
    const { png, items } = await seenAlike(browser);
    await keep({ ...screen, kind: 'web' }, id, png, items);
  };
  try {
    await Promise.all(Array.from({ length: BROWSERS }, look));
  } finally {
    server.close();
  }
  const count = [...made.values()].reduce((sum, one) => sum + one, 0);
  process.stdout.write(`${count} screens of ${made.size} families in ${out}\n`);
}

await main();
