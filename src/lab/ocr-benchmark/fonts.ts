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
 * @returns environment for a browser that shows them
 * @throws Error when a package cannot be downloaded with apt-get
 */
export function fontsFor({ subpixel, hinting }: Smoothing, cache: string): Record<string, string> {
  const folder = unpacked(cache);
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

function unpacked(cache: string): string {
  const names = createHash('sha256').update(PACKAGES.join()).digest('hex').slice(0, 8);
  const folder = join(process.cwd(), cache, `ocr-fonts-${names}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  // apt-get warns about its sandbox where the folder is root's own.
  execFileSync('apt-get', ['download', '-qq', ...PACKAGES], {
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
