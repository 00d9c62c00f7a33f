import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Debian packages of the fonts that rigs, browsers and desktops show. */
const PACKAGES = [
  'fonts-adf-gillius',
  'fonts-anonymous-pro',
  'fonts-b612',
  'fonts-cabin',
  'fonts-cantarell',
  'fonts-clear-sans',
  'fonts-courier-prime',
  'fonts-crosextra-caladea',
  'fonts-crosextra-carlito',
  'fonts-dejavu-core',
  'fonts-dseg',
  'fonts-fantasque-sans',
  'fonts-firacode',
  'fonts-freefont-ttf',
  'fonts-go',
  'fonts-hack',
  'fonts-inconsolata',
  'fonts-inter',
  'fonts-jetbrains-mono',
  'fonts-lato',
  'fonts-league-mono',
  'fonts-liberation',
  'fonts-linuxlibertine',
  'fonts-manrope',
  'fonts-mononoki',
  'fonts-noto-core',
  'fonts-noto-mono',
  'fonts-open-sans',
  'fonts-oxygen',
  'fonts-paratype',
  'fonts-play',
  'fonts-quicksand',
  'fonts-roboto-slab',
  'fonts-roboto-unhinted',
  'fonts-sil-andika',
  'fonts-sil-gentium',
  'fonts-urw-base35',
];

/** Those of the families that are learned from beside these. */
const MORE_PACKAGES = [
  'fonts-3270',
  'fonts-adf-baskervald',
  'fonts-adf-ikarius',
  'fonts-adf-mekanus',
  'fonts-adf-romande',
  'fonts-adf-solothurn',
  'fonts-adf-switzera',
  'fonts-adf-tribun',
  'fonts-adf-universalis',
  'fonts-allerta',
  'fonts-averia-sans-gwf',
  'fonts-averia-serif-gwf',
  'fonts-cmu',
  'fonts-comfortaa',
  'fonts-dosis',
  'fonts-droid-fallback',
  'fonts-gemunu-libre',
  'fonts-gfs-neohellenic',
  'fonts-hermit',
  'fonts-monoid',
  'fonts-morisawa-bizud-gothic',
  'fonts-mplus',
  'fonts-ocr-b',
  'fonts-oldstandard',
  'fonts-opendin',
  'fonts-osifont',
  'fonts-quattrocento',
  'fonts-roadgeek',
  'fonts-sil-charis',
  'fonts-sil-padauk',
  'fonts-stix',
  'fonts-tiresias',
  'fonts-tuffy',
  'fonts-wine',
  'fonts-yanone-kaffeesatz',
  'fonts-yrsa-rasa',
];

/** Families of texts and numbers, by part: what is held back shows type that nothing was tuned on. */
export const FAMILIES = {
  tuning: [
    'DejaVu Sans',
    'DejaVu Sans Mono',
    'DejaVu Serif',
    'Liberation Sans',
    'Liberation Serif',
    'Liberation Mono',
    'Roboto',
    'Open Sans',
    'Cantarell',
    'Hack',
    'FreeSans',
    'FreeSerif',
    'Go',
    'Fira Code',
    'Inconsolata',
    'mononoki',
    'Fantasque Sans Mono',
    'Nimbus Mono PS',
    'B612 Mono',
    'B612',
    'Oxygen-Sans',
    'Play',
    'Cabin',
    'Manrope',
    'Caladea',
    'Gentium',
    'Roboto Slab',
    'URW Gothic',
    'Nimbus Sans',
    'Nimbus Sans Narrow',
    'Nimbus Roman',
    'C059',
    'P052',
    'URW Bookman',
    'FreeMono',
    'Roboto Condensed',
    'Liberation Sans Narrow',
    'PT Sans',
    'PT Serif',
    'Clear Sans',
    'Quicksand',
    'League Mono',
    'Linux Biolinum O',
    'Anonymous Pro',
    'Andika',
    'Gillius ADF',
  ],
  'held-back': [
    'DejaVu Sans',
    'Liberation Sans',
    'Roboto',
    'Noto Sans',
    'Noto Serif',
    'Noto Mono',
    'Lato',
    'Inter',
    'Carlito',
    'JetBrains Mono',
    'Courier Prime',
    'Go Mono',
  ],
} as const;

/** Learned from beside those of `tuning`: the more kinds of type a network knows, the better it reads one it does not. */
export const MORE_FAMILIES = [
  'IBM 3270',
  'Hermit',
  'Comfortaa',
  'Dosis',
  'Allerta',
  'Switzera ADF',
  'Universalis ADF Std',
  'Ikarius ADF Std',
  'Mekanus ADF Std',
  'Romande ADF Std',
  'Baskervald ADF Std',
  'Tribun ADF Std',
  'Solothurn',
  'Averia Sans GWF',
  'Averia Serif GWF',
  'CMU Sans Serif',
  'CMU Serif',
  'CMU Typewriter Text',
  'Monoid',
  'OCR B',
  'Old Standard TT',
  'OSP-DIN',
  'osifont',
  'Quattrocento',
  'Roadgeek 2014 Series D',
  'Charis SIL',
  'STIXGeneral',
  'Tiresias PCfont',
  'Tiresias Infofont',
  'Tuffy',
  'Yanone Kaffeesatz',
  'Rasa',
  'Tahoma',
  'Droid Sans Fallback',
  'GFS Neohellenic',
  'Padauk',
  'M PLUS 1',
  'M PLUS 1 Code',
  'BIZ UDGothic',
  'Gemunu Libre',
] as const;

export const SEGMENT_FAMILIES = {
  tuning: ['DSEG7 Classic', 'DSEG7 Classic Mini'],
  'held-back': ['DSEG7 Modern', 'DSEG7 Modern Mini'],
} as const;

/** How a screen smooths letters. */
export interface Smoothing {
  /** Subpixels (coloured fringes), or grey alone. */
  subpixel: boolean;
  hinting: 'none' | 'slight' | 'full';
}

/**
 * Unpacks the fonts beside the caches of the project and tells of no other: nothing is installed on the machine, whose own fonts
 * stay as they are.
 *
 * @param options `withMore`: with those of `MORE_FAMILIES`
 * @returns environment for a browser that shows them
 * @throws Error when a package cannot be downloaded with apt-get
 */
export function fontsFor(
  { subpixel, hinting }: Smoothing,
  cache: string,
  { withMore = false } = {},
): Record<string, string> {
  const folder = unpacked(cache, withMore ? [...PACKAGES, ...MORE_PACKAGES] : PACKAGES);
  const file = join(folder, `fonts-${subpixel ? 'rgb' : 'grey'}-${hinting}.conf`);
  const edit = (name: string, value: string) => `<edit name="${name}" mode="assign">${value}</edit>`;
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${join(folder, 'root')}</dir><cachedir>${join(folder, 'cache')}</cachedir>
<match target="pattern">${edit('antialias', '<bool>true</bool>')}${edit('hinting', `<bool>${hinting !== 'none'}</bool>`)}
${edit('hintstyle', `<const>hint${hinting}</const>`)}${edit('rgba', `<const>${subpixel ? 'rgb' : 'none'}</const>`)}</match>
</fontconfig>`,
  );
  return { FONTCONFIG_FILE: file };
}

function unpacked(cache: string, packages: readonly string[]): string {
  const names = createHash('sha256').update(packages.join()).digest('hex').slice(0, 8);
  const folder = join(process.cwd(), cache, `ocr-fonts-${names}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  // apt-get warns about its sandbox where the folder is root's own.
  execFileSync('apt-get', ['download', '-qq', ...packages], {
    cwd: partial,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for (const name of readdirSync(partial).filter((one) => one.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', name, 'root'], { cwd: partial });
    rmSync(join(partial, name));
  }
  renameSync(partial, folder);
  return folder;
}
