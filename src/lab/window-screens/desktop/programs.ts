import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WORDS } from '../../window-training/pages/words.ts';
import type { TruthItem } from '../../window-training/truth-script.ts';

/** Debian packages that the programs need. */
export const DEBIAN_PACKAGES =
  'xvfb python3-gi gir1.2-gtk-3.0 python3-pyqt5 python3-pyqt6 adwaita-qt adwaita-qt6 qt5-style-plugins arc-theme adwaita-icon-theme librsvg2-common tk libtk-img';

/** A window of one of the small programs beside this file. */
export interface Window {
  family: string;
  page: string;
  source: string;
  /** Program and arguments; the picture's path follows, words come by standard input. */
  command: readonly string[];
  scale: number;
}

/** Toolkits and styles, and at which densities each of their windows is shown. */
const QT5 = ['Fusion', 'Fusion-dark', 'Windows', 'cleanlooks', 'plastique', 'motif', 'Adwaita'];
const QT6 = ['Fusion', 'Windows', 'Adwaita-Dark'];
const GTK = ['Adwaita', 'Adwaita-dark', 'Arc', 'Arc-Dark'];
const TK = ['clam', 'alt', 'default', 'classic', 'plain'];
const SCALES: Readonly<Record<'qt' | 'gtk' | 'tk', readonly (readonly number[])[]>> = {
  qt: [[1, 2], [1], [1, 1.5], [1], [1.25], [1]],
  gtk: [[1, 2], [1], [1], [1]],
  tk: [[1, 2], [1]],
};

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export function windows(seed: number): Window[] {
  const python = '/usr/bin/python3';
  const make = (
    toolkit: string,
    style: string,
    first: readonly string[],
    scales: readonly (readonly number[])[],
    at: number,
  ) =>
    scales.flatMap((own, k) =>
      own.map((scale) => ({
        family: `${toolkit} ${style}`,
        page: `${toolkit}-${style}-${k}`,
        source: `Debian, ${toolkit}`,
        command: [...first, style, String(seed * 1000 + at * 20 + k), String(scale)],
        scale,
      })),
    );
  return [
    ...QT5.flatMap((style, i) => make('qt5', style, [python, here('qt.py'), 'PyQt5'], SCALES.qt, i)),
    ...QT6.flatMap((style, i) => make('qt6', style, [python, here('qt.py'), 'PyQt6'], SCALES.qt, 10 + i)),
    ...GTK.flatMap((style, i) => make('gtk3', style, [python, here('gtk.py')], SCALES.gtk, 20 + i)),
    ...TK.flatMap((style, i) => make('tk', style, ['wish', here('tk.tcl')], SCALES.tk, 30 + i)),
  ];
}

export interface WindowPicture {
  png: Buffer;
  /** Boxes in units of the program: pixels by the scale. */
  items: TruthItem[];
}

const MOST_SECONDS = 180;

/** Runs one program. @param display X display, as `:77` @throws Error with what the program said when it fails */
export function pictureOf({ command, page, scale }: Window, display: string): WindowPicture {
  const out = join(tmpdir(), `window-${process.pid}-${page}.png`);
  const [program, ...args] = command as [string, ...string[]];
  const { status, stdout, stderr, error } = spawnSync(program, [...args, out], {
    input: WORDS.filter((word) => /^\p{L}+$/u.test(word)).join(' '),
    encoding: 'utf8',
    timeout: MOST_SECONDS * 1000,
    env: { PATH: process.env.PATH, HOME: tmpdir(), DISPLAY: display, LANG: 'C.UTF-8' },
  });
  if (status !== 0) throw new Error(error?.message ?? stderr.trim().split('\n').slice(-3).join(' '));
  const png = readFileSync(out);
  rmSync(out);
  const items = JSON.parse(stdout) as TruthItem[];
  // Tk knows pixels only.
  const by = program === 'wish' ? scale : 1;
  return { png, items: items.map((item) => ({ ...item, box: divided(item.box, by) })) };
}

const divided = ({ x, y, width, height }: TruthItem['box'], by: number) => ({
  x: x / by,
  y: y / by,
  width: width / by,
  height: height / by,
});

/** Starts an X server without a screen and returns its display. @throws Error when it is not installed */
export async function openDisplay(): Promise<{ display: string; close(): void }> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '2600x1700x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = server.stdio[3] as Readable;
  const [what] = (await Promise.race([once(number, 'data'), once(server, 'error')])) as [Buffer | Error];
  if (what instanceof Error)
    throw new Error(`Xvfb cannot be started: ${what.message}. Install: ${DEBIAN_PACKAGES}`);
  return { display: `:${what.toString().trim()}`, close: () => void server.kill() };
}
