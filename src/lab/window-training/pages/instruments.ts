import { segmentDisplay } from './keypads.ts';
import type { Look } from './look.ts';
import { sidesOf, type Theme } from './toolkit-themes.ts';

const UNITS = [
  'kPa',
  'hPa',
  'mbar',
  'l/min',
  'ml',
  '°C',
  'V',
  'mA',
  '%',
  'rpm',
  's',
  'bar',
  'µm',
  'Ω',
  '±0.1',
];

/** The panel of a device: large figures, gauges, bars, lamps and large keys. */
export function instrumentPanel(l: Look, theme: Theme): string {
  const columns = l.whole(2, 4);
  const tile = () =>
    `<div style="padding:${l.whole(6, 14)}px;${l.chance(0.7) ? sidesOf(theme, l.chance(0.5)) : ''};${l.chance(0.4) ? `background:${theme.base}` : ''}">${l.pick([reading, reading, small, segments, gauge, level, lamps, keys])(l, theme)}</div>`;
  return `<div style="display:grid;grid-template-columns:repeat(${columns},1fr);gap:${l.whole(4, 14)}px">${l.times(3, 9, tile)}</div>${l.chance(0.6) ? keys(l, theme) : ''}`;
}

const figure = (l: Look): string =>
  l.pick([
    `${l.whole(0, 999)}.${l.whole(0, 9)}`,
    `${l.whole(0, 99)}.${l.whole(10, 99)}`,
    `${l.whole(0, 4000)}`,
    `-${l.whole(1, 90)}`,
    `${l.whole(10, 23)}:${l.whole(10, 59)}`,
  ]);

/** A value with its name and its unit. */
function reading(l: Look, { ink }: Theme): string {
  const lcd = l.chance(0.35)
    ? `background:${l.pick(['#9aa889', '#0a1a0a', '#101010', '#c7d3b8'])};padding:6px;`
    : '';
  const tone = lcd ? l.pick(['#1a2a10', '#3f6', '#fa3', '#6cf']) : l.pick([ink, l.colour()]);
  const font = l.pick(["'DejaVu Sans Mono'", "'Liberation Sans'", "'DejaVu Sans'", "'Noto Sans'"]);
  return `<div style="opacity:${l.pick([1, 1, 0.7])}">${l.title(1, 2)}</div><div style="${lcd}color:${tone};text-align:${l.pick(['left', 'right', 'center'])}"><span style="font:${l.pick([300, 400, 700])} ${l.whole(24, l.pick([64, 64, 110]))}px ${font}">${figure(l)}</span><span style="display:inline-block;padding-left:${l.whole(5, 14)}px">${l.pick(UNITS)}</span></div>`;
}

/** Values of small letters beside or below their names. */
function small(l: Look): string {
  const size = l.whole(9, 22);
  const row = () =>
    `<div style="display:flex;justify-content:${l.pick(['space-between', 'flex-start'])};gap:${l.whole(6, 30)}px"><span>${l.title(1, 2)}</span><span>${figure(l)} ${l.pick(UNITS)}</span></div>`;
  return `<div style="font-size:${size}px">${l.times(2, 6, row)}</div>`;
}

function segments(l: Look): string {
  return `<div>${l.title(1, 2)}</div>${segmentDisplay(l)}`;
}

/** A pointer over a scale. */
function gauge(l: Look, { ink, base, line }: Theme): string {
  const size = l.whole(90, 200);
  const marks = Array.from({ length: 9 }, (_, i) => {
    const turn = ((i - 4) * Math.PI) / 5.5;
    const at = (r: number) => `${50 + r * Math.sin(turn)} ${50 - r * Math.cos(turn)}`;
    return `<path d="M${at(38)}L${at(44)}" stroke="${ink}" stroke-width="1.5"/>`;
  });
  return `<div style="text-align:center"><svg width="${size}" height="${size}" viewBox="0 0 100 100"><circle cx="50" cy="50" r="48" fill="${base}" stroke="${line}" stroke-width="2"/>${marks.join('')}<path d="M50 50L${l.whole(20, 80)} ${l.whole(15, 35)}" stroke="${l.pick(['#c00', ink])}" stroke-width="2.5"/><circle cx="50" cy="50" r="4" fill="${ink}"/></svg><div>${figure(l)} ${l.pick(UNITS)}</div></div>`;
}

/** A bar that fills, with its value. */
function level(l: Look, { line, soft, accent }: Theme): string {
  return `<div style="display:flex;justify-content:space-between"><span>${l.title(1, 2)}</span><span>${figure(l)} ${l.pick(UNITS)}</span></div><div data-icon style="margin-top:4px;height:${l.whole(8, 24)}px;background:${soft};border:1px solid ${line}"><div style="height:100%;width:${l.whole(5, 95)}%;background:${l.pick([accent, '#2a2', '#c80', '#c22'])}"></div></div>`;
}

/** Round lamps, each with its name. */
function lamps(l: Look, { line }: Theme): string {
  return l.times(
    2,
    5,
    () =>
      `<div style="display:flex;align-items:center;gap:8px;margin:4px 0"><svg width="16" height="16"><circle cx="8" cy="8" r="7" fill="${l.pick(['#2c2', '#c22', '#fa0', '#555'])}" stroke="${line}"/></svg><span>${l.title(1, 3)}</span></div>`,
  );
}

/** Large keys for fingers. */
function keys(l: Look, theme: Theme): string {
  const h = l.whole(36, 72);
  const tone = () =>
    l.chance(0.3)
      ? `background:${l.pick(['#c22', '#2a2', '#27c', '#e90'])};color:#fff`
      : `background:${theme.button};color:inherit`;
  return `<div style="display:flex;gap:${l.whole(4, 12)}px;margin-top:6px">${l.times(1, 5, () => `<button style="font:inherit;font-size:${l.pick([1, 1.2, 1.4])}em;flex:1;height:${h}px;${sidesOf(theme, false)};${tone()}">${l.chance(0.25) ? l.icon(Math.round(h * 0.5)) : l.title(1, 1)}</button>`)}</div>`;
}
