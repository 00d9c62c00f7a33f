import { seededRandom } from '../../../lib/random/seeded-random.ts';
import { Look } from '../../window-training/pages/look.ts';
import { PACKAGES } from '../packages.ts';
import type { Shown } from '../screen.ts';

const THEMES = [
  { background: '#1e1e1e', foreground: '#d4d4d4' },
  { background: '#ffffff', foreground: '#202020' },
  { background: '#002b36', foreground: '#93a1a1' },
];
const FONTS = ['DejaVu Sans Mono', 'Liberation Mono', 'Noto Sans Mono'];

/** Terminals of xterm.js with known lines in them, written as programs write them. */
export function terminalScreens(seed: number): Shown[] {
  return Array.from({ length: 8 }, (_, k) => {
    const l = new Look(seededRandom(seed * 100_000 + 90_000 + k));
    const lines = Array.from({ length: l.whole(18, 38) }, () => line(l));
    const options = {
      theme: l.pick(THEMES),
      fontFamily: l.pick(FONTS),
      fontSize: l.whole(11, 17),
      cols: 110,
      rows: 40,
    };
    const html = `<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="/@xterm/xterm/css/xterm.css"><script src="/@xterm/xterm/lib/xterm.js"></script><style>.xterm-rows span{display:inline!important}</style></head><body style="margin:0;background:${options.theme.background}"><div id="t"></div><script>const t = new Terminal(${JSON.stringify(options)}); t.open(document.getElementById('t')); t.write(${JSON.stringify(`${lines.join('\r\n')}\r\n\x1b[?25l`)});</script></body></html>`;
    return (k % 3 === 0 ? [1, 2] : k % 3 === 1 ? [1, 1.5] : [1]).map((scale) => ({
      family: 'xterm',
      page: `xterm-${k}`,
      source: `npm @xterm/xterm@${PACKAGES['@xterm/xterm']}`,
      show: { html },
      width: 1280,
      height: 800,
      scale,
    }));
  }).flat();
}

const colour = (l: Look, text: string): string =>
  `\x1b[${l.pick([1, 31, 32, 33, 34, 35, 36])}m${text}\x1b[0m`;

function line(l: Look): string {
  const word = () => l.words(1, 1).replaceAll(/&lt;|&gt;/g, '');
  return l.pick([
    () => `${colour(l, `${word()}@rig`)}:${colour(l, '~/logs')}$ ${word()} --${word()} ${word()}`,
    () =>
      `drwxr-xr-x  ${l.whole(1, 9)} root root ${String(l.whole(0, 999_999)).padStart(8)} Nov ${l.whole(10, 30)} ${word()}`,
    () =>
      `${l.whole(10, 23)}:${l.whole(10, 59)}:${l.whole(10, 59)} ${colour(l, l.pick(['INFO', 'WARN', 'ERROR']))} ${word()}: ${word()} ${word()} ${l.whole(0, 999)} ms`,
    () => `${' '.repeat(l.pick([2, 4, 8]))}${word()} = ${word()}(${word()}, ${l.whole(0, 99)})`,
    () => `${word().padEnd(20)}${String(l.whole(0, 100)).padStart(6)}%  ${l.number(0, 20).toFixed(2)} mbar`,
    () => '',
  ])();
}
