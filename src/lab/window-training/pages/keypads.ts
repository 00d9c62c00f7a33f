import type { Look } from './look.ts';

/* Boxes that are close in colour to their ground, or to each other. Each part returns HTML. */

/** Keys of a calculator, a number pad or a remote control, close together. */
export function keypad(l: Look): string {
  const columns = l.whole(3, 6);
  const [w, h, gap] = [l.whole(30, 84), l.whole(26, 60), l.pick([1, 2, 4, 8])];
  const tone = l.pick([
    '',
    `background:${l.line(6)};border:1px solid ${l.line(14)}`,
    `background:${l.line(10)};border:0`,
  ]);
  const strong = `background:${l.accentCss};color:#fff;border:0`;
  const key = () =>
    `<button style="padding:0;box-shadow:none;width:${w}px;height:${h}px;${l.chance(0.15) ? strong : tone}">${l.pick([String(l.whole(0, 9)), String(l.whole(0, 9)), l.pick(['+', '−', '×', '÷', '=', 'C', '.', '%', 'AC', 'sin', '√', '(', '⌫'])])}</button>`;
  return `<div style="display:inline-grid;grid-template-columns:repeat(${columns},${w}px);gap:${gap}px">${l.times(columns * 3, columns * 6, key)}</div>`;
}

/** Tinted chips, some with a cross that removes them. */
export function chips(l: Look): string {
  const chip = () => {
    const hue = l.whole(0, 360);
    const tone = l.pick([`hsl(${hue} 60% ${l.dark ? 25 : 92}%)`, l.line(6), l.line(10)]);
    const cross = l.chance(0.3) ? ` <span style="opacity:.6">×</span>` : '';
    return `<span data-control="button" style="display:inline-block;background:${tone};padding:${l.whole(2, 6)}px ${l.whole(7, 14)}px;border-radius:${l.pick([3, 10, 16])}px;margin:2px">${l.title(1, 2)}${cross}</span>`;
  };
  return `<div>${l.times(3, 10, chip)}</div>`;
}

/** Squares of colours to choose from. */
export function palette(l: Look): string {
  const size = l.whole(14, 34);
  const square = () =>
    `<span data-control="icon_button" style="background:hsl(${l.whole(0, 360)} ${l.whole(20, 90)}% ${l.whole(20, 85)}%);width:${size}px;height:${size}px;${l.chance(0.3) ? `border:1px solid ${l.line(30)};` : ''}box-sizing:border-box"></span>`;
  return `<div style="display:inline-grid;grid-template-columns:repeat(${l.whole(4, 10)},${size}px);gap:${l.pick([0, 2, 4, 6])}px">${l.times(8, 32, square)}</div>`;
}

/** A menu whose entries have their keys to the right. */
export function shortcutMenu(l: Look): string {
  const dark = l.chance(0.6);
  const [ground, ink] = dark ? [l.pick(['#222', '#2d2d30', '#1b2330']), '#ddd'] : ['#fff', '#222'];
  const keys = () => l.pick(['Ctrl+S', 'Ctrl+Shift+P', 'F5', 'Alt+F4', 'Del', '▸', '⌘K', '']);
  const high = l.whole(2, 7);
  const entry = (i: number) =>
    l.chance(0.12)
      ? `<div style="border-top:1px solid ${dark ? '#444' : '#ddd'};margin:4px 0"></div>`
      : `<div role="menuitem" style="display:flex;justify-content:space-between;gap:${l.whole(24, 90)}px;padding:${high}px 14px;${i === 2 ? `background:${l.accentCss};color:#fff` : ''}"><span>${l.title(1, 3)}</span><span style="opacity:.65">${keys()}</span></div>`;
  return `<div data-part="menu" style="display:inline-block;background:${ground};color:${ink};border:1px solid ${dark ? '#444' : '#bbb'};padding:4px 0">${l.times(4, 12, entry)}</div>`;
}

/** A display of seven segments for each digit, as the picture of its segments. */
export function segmentDisplay(l: Look): string {
  const h = l.whole(18, 76);
  const [ground, on] = l.pick([
    ['#100', '#f32'],
    ['#010', '#3f5'],
    ['#001018', '#4cf'],
    ['#9aa889', '#12200c'],
    ['#111', '#fb3'],
  ] as const);
  const off = l.chance(0.4) ? 0.1 : 0;
  const digits = l.pick([
    `${l.whole(0, 99)}.${l.whole(0, 9)}`,
    `${l.whole(0, 9999)}`,
    `-${l.whole(0, 99)}.${l.whole(10, 99)}`,
  ]);
  const unit = l.chance(0.6)
    ? `<span style="color:${l.pick([on, '#888'])};padding-left:8px">${l.pick(['l/min', 'mbar', 'kPa', '°C', 'V'])}</span>`
    : '';
  return `<div style="display:inline-flex;align-items:flex-end;background:${ground};padding:${l.whole(4, 12)}px"><span data-text="${digits}" style="display:inline-flex">${[...digits].map((one) => segments(one, h, on, off)).join('')}</span>${unit}</div>`;
}

/** Which of the segments a to g are on. */
const ON: Readonly<Record<string, string>> = {
  '0': 'abcdef',
  '1': 'bc',
  '2': 'abged',
  '3': 'abgcd',
  '4': 'fgbc',
  '5': 'afgcd',
  '6': 'afgedc',
  '7': 'abc',
  '8': 'abcdefg',
  '9': 'abcdfg',
  '-': 'g',
};

const PLACES: Readonly<Record<string, string>> = {
  a: 'M9 5H41L34 13H16Z',
  b: 'M44 8V46L36 41V16Z',
  c: 'M44 54V92L36 84V59Z',
  d: 'M9 95H41L34 87H16Z',
  e: 'M6 54V92L14 84V59Z',
  f: 'M6 8V46L14 41V16Z',
  g: 'M10 50L16 45H34L40 50L34 55H16Z',
};

function segments(digit: string, height: number, on: string, off: number): string {
  if (digit === '.')
    return `<svg width="${height * 0.16}" height="${height}" viewBox="0 0 16 100"><rect x="3" y="84" width="11" height="11" fill="${on}"/></svg>`;
  const lit = ON[digit] ?? '';
  const paths = Object.entries(PLACES).map(
    ([name, d]) => `<path d="${d}" fill="${on}" opacity="${lit.includes(name) ? 1 : off}"/>`,
  );
  return `<svg width="${height * 0.54}" height="${height}" viewBox="-2 0 54 100"><g transform="skewX(-4)">${paths.join('')}</g></svg>`;
}
