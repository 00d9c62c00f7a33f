import type { Look } from './look.ts';

/** A screen full of lines in one width of letters: a terminal, a log, a listing. Each line is one text. */
export function consoleScreen(l: Look): string {
  const dark = l.chance(0.7);
  const ground = dark
    ? l.pick(['#000', '#1e1e1e', '#300a24', '#002b36', '#0c0c0c'])
    : l.pick(['#fff', '#fdf6e3', '#ffd']);
  const ink = dark
    ? l.pick(['#ccc', '#eee', '#3f6', '#fb4', '#93a1a1'])
    : l.pick(['#111', '#333', '#586e75']);
  const size = l.whole(11, 18);
  const line = l.pick([terminalLine, logLine, listingLine, columnLine(l)]);
  const lines = l.times(8, 42, () => `<div>${line(l, dark)}</div>`);
  const bar = l.chance(0.4)
    ? `<div style="background:${ink};color:${ground};white-space:pre">${l.title(1, 3)}   ${l.whole(1, 200)},${l.whole(1, 80)}</div>`
    : '';
  return `<div style="background:${ground};color:${ink};font:${size}px/${l.number(1.1, 1.5).toFixed(2)} ${l.mono};padding:${l.whole(2, 12)}px;min-height:${l.whole(200, 700)}px;white-space:pre;overflow:hidden">${lines}${bar}</div>`;
}

type Line = (l: Look, dark: boolean) => string;

const tint = (l: Look, dark: boolean, text: string): string =>
  `<span style="color:hsl(${l.whole(0, 360)} 70% ${dark ? 65 : 35}%)">${text}</span>`;

const terminalLine: Line = (l, dark) =>
  l.pick([
    () => `${tint(l, dark, `${l.name()}@rig`)}:${tint(l, dark, '~')}$ ${l.words(1, 4)} --${l.words(1, 1)}`,
    () => l.words(2, 12),
    () => `${l.words(1, 1)}: ${l.words(3, 8)}`,
    () => ' ',
    () =>
      `drwxr-xr-x  ${l.whole(1, 9)} root root ${String(l.whole(0, 99_999)).padStart(8)} Nov ${l.whole(10, 30)} ${l.name()}`,
  ])();

const logLine: Line = (l, dark) =>
  `${l.whole(10, 23)}:${l.whole(10, 59)}:${l.whole(10, 59)}.${l.whole(100, 999)} ${tint(l, dark, l.pick(['INFO', 'WARN', 'ERROR', 'DEBUG']))} ${l.name()}: ${l.words(3, 10)}`;

const listingLine: Line = (l, dark) =>
  `${String(l.whole(1, 999)).padStart(4)}  ${' '.repeat(l.pick([0, 2, 4, 8]))}${Array.from({ length: l.whole(1, 7) }, () => (l.chance(0.5) ? tint(l, dark, l.words(1, 1)) : l.token())).join(l.pick([' ', ' ', '.']))}`;

/** A table of aligned columns with two blanks or more between them, as programs list what there is. */
const columnLine = (l: Look): Line => {
  const widths = Array.from({ length: l.whole(2, 6) }, () => l.whole(6, 24));
  const apart = ' '.repeat(l.whole(1, 4));
  const kinds = widths.map(() => l.pick(['word', 'number', 'token'] as const));
  return (_, dark) =>
    widths
      .map((width, i) => {
        if (kinds[i] === 'number')
          return `${l.number(0, 10 ** l.whole(1, 4)).toFixed(l.pick([0, 0, 1, 2]))}${l.pick(['', '', '%', ' mbar', ' ms', 'K'])}`.padStart(
            width,
          );
        const text = (kinds[i] === 'word' ? l.name() : l.token())
          .replaceAll(/&lt;|&gt;/g, '')
          .slice(0, width);
        return (l.chance(0.1) ? tint(l, dark, text) : text) + ' '.repeat(width - text.length);
      })
      .join(apart);
};
