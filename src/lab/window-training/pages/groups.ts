import { consoleScreen } from './consoles.ts';
import { dataTable, declarations, editor, reference, values } from './documents.ts';
import { inputGroup } from './input-group.ts';
import { chips, keypad, palette, shortcutMenu } from './keypads.ts';
import type { Look } from './look.ts';
import { badge, button, check, heading, iconButton, input, link, picture } from './parts.ts';

/** Larger pieces of pages, made of parts that belong together. Each returns HTML. */
type Part = (look: Look) => string;

const caret = (l: Look): string => l.pick([' ▾', ' ▼', '', ` ${l.icon(10)}`]);

/** A button of two tones, or one that opens a menu. */
const splitButton: Part = (l) => {
  const colour = l.colour();
  return l.pick([
    () =>
      `<a href="#" role="button" style="display:inline-flex;background:${colour};color:#fff;border-radius:${l.radius}px;overflow:hidden;text-decoration:none"><span style="background:rgba(0,0,0,.15);padding:${l.room(7)}px ${l.room(11)}px">${l.icon(15)}</span><span style="padding:${l.room(7)}px ${l.room(11)}px">${l.title(1, 3)}</span></a>`,
    () => `<button class="btn primary">${l.title(1, 2)}${caret(l)}</button>`,
    () =>
      `<span style="display:inline-flex"><button style="border-radius:${l.radius}px 0 0 ${l.radius}px">${l.title(1, 2)}</button><button style="border-left:0;padding-left:7px;padding-right:7px;border-radius:0 ${l.radius}px ${l.radius}px 0">▾</button></span>`,
  ])();
};

const roundButtons: Part = (l) => {
  const size = l.whole(22, 60);
  return `<div class="row">${l.times(2, 6, () => `<a href="#" role="button" style="background:${l.colour()};color:#fff;width:${size}px;height:${size}px;border-radius:50%;display:inline-flex;align-items:center;justify-content:center">${l.icon(Math.round(size * 0.45))}</a>`)}</div>`;
};

const accordion: Part = (l) => {
  const gap = l.pick([0, 2, 4]);
  const edge = l.chance(0.7) ? `border:1px solid ${l.line(18)};` : '';
  const sign = l.pick(['left', 'right', 'none']);
  const head = (i: number) => {
    const tone = i === 0 ? `background:${l.accentCss};color:#fff` : `background:${l.line(5)}`;
    const icon = sign === 'none' ? '' : l.icon(l.whole(8, 14));
    const body = i === 0 ? `<div style="${edge}padding:${l.room(16)}px">${l.sentence(8, 40)}</div>` : '';
    return `<div data-control="button" style="${edge}${tone};padding:${l.room(8)}px ${l.room(14)}px;margin-top:${gap}px;border-radius:${l.radius}px">${sign === 'left' ? `${icon} ` : ''}${l.title(1, 4)}${sign === 'right' ? `<span style="float:right">${icon}</span>` : ''}</div>${body}`;
  };
  return `<div>${l.times(2, 5, head)}</div>`;
};

/** A figure with its name: a card with a coloured edge, and perhaps an icon. */
const figures: Part = (l) => {
  const side = l.pick(['left', 'top', 'none']);
  const one = () => {
    const colour = l.colour();
    return `<div class="card" style="flex:1;display:flex;align-items:center;${side === 'none' ? '' : `border-${side}:4px solid ${colour}`}"><div style="flex:1"><div class="tiny" style="color:${colour};font-weight:bold">${l.title(1, 2).toUpperCase()}</div><div style="font-size:1.3em;font-weight:${l.pick([400, 700])}">${l.token()}</div></div>${l.chance(0.6) ? l.icon(l.whole(24, 40), l.line(12)) : ''}</div>`;
  };
  return `<div style="display:flex;gap:${l.room(18)}px">${l.times(2, 4, one)}</div>`;
};

/** A title or a value in type that fills a screen, with what it is of above it. */
const largeType: Part = (l) => {
  const size = l.whole(44, 150);
  const text = l.pick([() => l.title(1, 2), () => l.token(), () => `${l.token()} ${l.words(1, 1)}`])();
  const name = l.chance(0.6) ? `<div>${l.title(1, 3)}</div>` : '';
  return `${name}<div style="font-size:${size}px;line-height:${l.pick([1, 1.2])};font-weight:${l.pick([300, 400, 600, 700, 800])};color:${l.pick(['inherit', 'inherit', l.colour()])}">${text}</div>`;
};

/** A card with a head of its own tone. */
const panel: Part = (l) =>
  `<div class="card" style="padding:0;overflow:hidden"><div style="background:${l.line(4)};padding:${l.room(11)}px ${l.room(16)}px;border-bottom:1px solid ${l.line(12)};display:flex;justify-content:space-between"><b style="color:${l.pick([l.accentCss, 'inherit'])}">${l.title(1, 4)}</b>${l.chance(0.4) ? iconButton(l) : ''}</div><div style="padding:${l.room(16)}px">${l.pick([(k: Look) => k.sentence(6, 40), roundButtons, list, drawing, (k: Look) => `<div class="row">${k.times(1, 4, () => button(k))}</div>`, sliders])(l)}</div></div>`;

const list: Part = (l) => {
  const edge = l.chance(0.6) ? `border:1px solid ${l.line(14)};border-radius:${l.radius}px` : '';
  const item = (i: number) =>
    `<a href="#" data-control="menu" style="display:flex;justify-content:space-between;align-items:center;text-decoration:none;color:inherit;padding:${l.room(8)}px ${l.room(13)}px;${i > 0 ? `border-top:1px solid ${l.line(12)};` : ''}${i === 1 ? `background:${l.accentCss};color:#fff` : ''}"><span>${l.title(1, 5)}</span>${l.chance(0.4) ? badge(l) : ''}</a>`;
  return `<div style="${edge};width:${l.pick(['auto', '260px', '380px'])}">${l.times(2, 7, item)}</div>`;
};

/** A drawing with words in it: to a person one picture. */
const drawing: Part = (l) => {
  const w = l.whole(200, 560);
  const h = l.whole(110, 300);
  const colour = () => `hsl(${l.whole(0, 360)} ${l.whole(20, 80)}% ${l.whole(30, 70)}%)`;
  const word = (x: number, y: number) =>
    `<text x="${x.toFixed(0)}" y="${y.toFixed(0)}" font-size="12" font-family="${l.font}" fill="#777">${l.whole(0, 90_000)}</text>`;
  const axes = Array.from(
    { length: 5 },
    (_, i) =>
      `${word(2, 14 + (i * (h - 40)) / 4)}<path d="M48 ${10 + (i * (h - 40)) / 4}H${w}" stroke="#ddd"/>`,
  );
  const columns = Array.from(
    { length: 7 },
    (_, i) =>
      `<rect x="${56 + (i * (w - 60)) / 7}" y="${l.whole(10, h - 40)}" width="${((w - 60) / 7) * 0.6}" height="${h}" fill="${colour()}"/>`,
  );
  const widgets = Array.from({ length: l.whole(2, 6) }, () => {
    const x = l.whole(4, w - 90);
    const y = l.whole(4, h - 30);
    return `<rect x="${x}" y="${y}" width="${l.whole(40, 120)}" height="${l.whole(16, 30)}" rx="3" fill="${l.pick(['#eee', '#fff', colour()])}" stroke="#999"/>${word(x + 6, y + 14)}`;
  });
  const ring = `<circle cx="${w / 2}" cy="${h / 2}" r="${h * 0.38}" fill="none" stroke="${colour()}" stroke-width="${h * 0.13}" stroke-dasharray="${h} ${h * 0.8}"/><circle cx="${w / 2}" cy="${h / 2}" r="${h * 0.38}" fill="none" stroke="${colour()}" stroke-width="${h * 0.13}" stroke-dasharray="${h * 0.7} ${h * 1.7}"/>`;
  const noise =
    '<filter id="n"><feTurbulence baseFrequency="0.02 0.03" numOctaves="4"/></filter><rect width="100%" height="100%" filter="url(#n)"/>';
  const inner = l.pick([
    `${axes.join('')}${columns.join('')}<rect x="48" y="${h - 26}" width="${w}" height="30" fill="#fff"/>`,
    widgets.join(''),
    ring,
    noise,
    axes.join(''),
  ]);
  const ground = l.chance(0.6)
    ? `<rect width="${w}" height="${h}" fill="${l.pick(['#fff', '#eee', colour()])}" ${l.chance(0.5) ? 'stroke="#000"' : ''}/>`
    : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}">${ground}${inner}</svg>`;
  const shadow = l.chance(0.2) ? 'style="box-shadow:6px 6px 8px rgba(0,0,0,.4)"' : '';
  const image = `<img width="${w}" height="${h}" ${shadow} src="data:image/svg+xml,${encodeURIComponent(svg)}">`;
  return l.chance(0.3) ? `<a href="#">${image}</a>` : image;
};

const sliders: Part = (l) =>
  l.times(1, 4, () => {
    const w = l.whole(120, 420);
    const at = l.whole(0, w - 20);
    const knob = l.whole(12, 24);
    const round = l.chance(0.6) ? '50%' : '3px';
    const track = l.whole(3, 12);
    return `<div style="margin:${l.room(14)}px 0">${l.chance(0.4) ? `<div>${l.title(1, 3)}</div>` : ''}<div style="position:relative;width:${w}px;height:${track}px;background:${l.line(10)};border-radius:4px;${l.chance(0.4) ? `border:1px solid ${l.line(22)}` : ''}"><span role="slider" style="position:absolute;left:${at}px;top:${Math.round((track - knob) / 2)}px;width:${knob}px;height:${knob}px;border-radius:${round};background:${l.pick([l.accentCss, '#fff', l.line(8)])};border:1px solid ${l.line(34)}"></span></div></div>`;
  });

const person: Part = (l) => {
  const size = l.whole(20, 48);
  const face = `<img width="${size}" height="${size}" style="border-radius:50%;vertical-align:middle" src="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" fill="hsl(${l.whole(0, 360)} 50% 70%)"/><circle cx="12" cy="9" r="5" fill="hsl(${l.whole(0, 360)} 50% 40%)"/><ellipse cx="12" cy="22" rx="9" ry="7" fill="hsl(${l.whole(0, 360)} 50% 30%)"/></svg>`)}">`;
  return l.pick([
    () =>
      `<a href="#" style="text-decoration:none;color:inherit"><span class="muted small" style="padding-right:8px">${l.title(2, 2)}</span>${face}</a>`,
    () =>
      `<div style="display:flex;gap:10px;align-items:center">${face}<div><div>${l.title(2, 2)}</div><div class="small muted">${l.sentence(2, 6)}</div></div></div>`,
    () =>
      `<a href="#" style="position:relative">${l.icon(20)}<span class="tiny" style="position:absolute;left:12px;top:-8px;background:#e33;color:#fff;border-radius:4px;padding:0 3px">${l.whole(1, 12)}</span></a>`,
  ])();
};

const pills: Part = (l) =>
  `<div style="display:flex;gap:${l.pick([0, 4, 8])}px;${l.chance(0.3) ? 'flex-direction:column;width:200px' : ''}">${l.times(2, 6, (i) => `<a href="#" role="tab" style="padding:${l.room(6)}px ${l.room(13)}px;border-radius:${l.radius}px;text-decoration:none;${i === 0 ? `background:${l.accentCss};color:#fff` : ''}">${l.title(1, 2)}</a>`)}</div>`;

const barred: Part = (l) =>
  `<div style="text-align:${l.pick(['left', 'right', 'center'])}">${l.chance(0.4) ? `${l.title(1, 2)}: ` : ''}${Array.from({ length: l.whole(3, 9) }, () => `<a href="#">${l.pick([l.words(1, 2), l.words(1, 1).slice(0, 2)])}</a>`).join(l.pick([' | ', ' &nbsp;|&nbsp; ', ' · ', ', ']))}</div>`;

const options: Part = (l) =>
  `<div>${l.times(2, 6, () => `<div style="margin:${l.room(4)}px 0">${check(l)}</div>`)}</div>`;

const combo: Part = (l) => {
  const h = l.whole(22, 38);
  return `<span role="combobox" style="display:inline-flex;align-items:center;width:${l.whole(90, 320)}px;height:${h}px;border:1px solid ${l.line(26)};border-radius:${l.radius}px;background:${l.pick([l.panelCss, `linear-gradient(${l.line(1)},${l.line(9)})`])};padding:0 8px"><span style="flex:1">${l.title(1, 3)}</span>${l.icon(11)}</span>`;
};

/** A number with its two steppers, joined or beside each other. */
const spin: Part = (l) => {
  const h = l.whole(22, 34);
  const tone = `background:${l.line(5)};border:1px solid ${l.line(26)}`;
  const step = (sign: string, w: number, k: number) =>
    `<button style="padding:0;width:${w}px;height:${k}px;${tone};border-radius:0;line-height:1;font-size:${Math.min(14, k - 2)}px">${sign}</button>`;
  const field = `<input value="${l.whole(0, 400)}" style="width:${l.whole(50, 120)}px;height:${h}px;border-radius:0;border:1px solid ${l.line(26)}">`;
  return l.chance(0.5)
    ? `<span style="display:inline-flex">${field}${step('−', h, h)}${step('+', h, h)}</span>`
    : `<span style="display:inline-flex">${field}<span style="display:flex;flex-direction:column">${step('▴', 18, h / 2)}${step('▾', 18, h / 2)}</span></span>`;
};

const groupBox: Part = (l) =>
  `<fieldset style="border:1px solid ${l.line(16)};border-radius:${l.radius}px;padding:${l.room(10)}px"><legend>${l.title(1, 3)}</legend>${l.pick([options, sliders, (k: Look) => k.times(2, 5, () => `<div style="margin:5px 0;display:flex;align-items:center"><label style="width:120px">${k.title(1, 2)}:</label>${k.pick([spin, combo, input])(k)}</div>`)])(l)}</fieldset>`;

const headline: Part = (l) =>
  `<div style="${l.chance(0.5) ? `background:${l.line(5)};` : ''}${l.chance(0.3) ? `border:1px solid ${l.line(50)};` : ''}padding:${l.room(6)}px"><b style="font-size:${l.number(0.9, 1.8).toFixed(1)}em">${l.title(1, 6)}</b></div>`;

const footer: Part = (l) =>
  `<div style="text-align:center;padding:${l.room(14)}px;${l.chance(0.5) ? `border-top:1px solid ${l.line(12)}` : ''}" class="small muted">Copyright © 20${l.whole(10, 30)} ${l.title(1, 5)}</div>`;

const cells: Part = (l) => {
  const n = l.whole(3, 6);
  const size = l.whole(60, 130);
  return `<div style="display:grid;grid-template-columns:repeat(${n},${size}px);gap:${l.pick([4, 10, 16])}px">${l.times(n, n * 3, () => `<a href="#" style="text-align:center;text-decoration:none;color:inherit">${l.icon(l.whole(20, 44), l.colour())}<div class="small">${l.title(1, 2)}</div></a>`)}</div>`;
};

/** A form as one signs in with: everything as wide as the form. */
const signIn: Part = (l) => {
  const wide = (text: string, colour: string) =>
    `<button style="display:block;width:100%;margin:${l.room(7)}px 0;background:${colour};color:#fff;border-color:${colour}">${text}</button>`;
  return `<div class="card" style="width:${l.whole(260, 560)}px;text-align:${l.pick(['left', 'center'])}"><h2>${l.title(1, 3)}</h2>${l.times(1, 5, () => `<input style="display:block;width:100%;margin:${l.room(9)}px 0;border-radius:${l.pick([0, 4, 20])}px" placeholder="${l.title(1, 3)}...">`)}${l.chance(0.5) ? check(l) : ''}${wide(l.title(1, 2), l.accentCss)}${l.chance(0.5) ? `<hr>${wide(`${l.icon(14)} ${l.title(2, 3)}`, l.colour())}${wide(`${l.icon(14)} ${l.title(2, 3)}`, l.colour())}` : ''}<hr><div>${link(l)}</div><div>${link(l)}</div></div>`;
};

/** Small boxes with a band on top, side by side. */
const portlets: Part = (l) => {
  const w = l.whole(110, 260);
  const box = () =>
    `<div style="width:${w}px;border:1px solid ${l.line(16)};padding:${l.whole(2, 6)}px;margin:${l.room(8)}px;border-radius:${l.radius}px"><div style="background:${l.line(8)};${l.chance(0.5) ? `border:1px solid ${l.line(16)};` : ''}padding:${l.whole(1, 5)}px;border-radius:${l.radius}px">${l.title(1, 2)}${l.chance(0.3) ? `<span style="float:right">${l.icon(11)}</span>` : ''}</div><div style="padding:${l.room(6)}px;line-height:${l.pick([1.1, 1.15, 1.25])}">${l.sentence(3, 12)}</div></div>`;
  return `<div style="display:flex;flex-wrap:wrap;align-items:flex-start">${l.times(2, 6, box)}</div>`;
};

/** Choices in boxes of their own, each with its sign and its words. */
const toggles: Part = (l) => {
  const edge = `border:1px solid ${l.line(20)};background:${l.line(5)};border-radius:${l.radius}px`;
  return `<div class="row" style="gap:${l.pick([0, 4, 8])}px">${l.times(2, 6, () => `<label style="${edge};padding:${l.room(6)}px ${l.room(12)}px;display:inline-flex;gap:6px;align-items:center"><input type="${l.pick(['checkbox', 'radio'])}" style="margin:0">${l.title(1, 2)}</label>`)}</div>`;
};

/** Stripes and boxes of many tones with a text in each. */
const tones: Part = (l) =>
  `<div class="${l.pick(['row', 'col'])}">${l.times(2, 6, () => `<div style="background:${l.pick([l.colour(), l.line(l.whole(3, 20)), `linear-gradient(${l.whole(0, 180)}deg,${l.colour()},${l.colour()})`])};color:${l.pick(['#fff', '#fff', 'inherit'])};padding:${l.whole(4, 24)}px;border-radius:${l.radius}px;${l.chance(0.3) ? 'box-shadow:0 2px 28px rgba(58,59,69,.15)' : ''}"><div>${l.title(1, 3)}</div>${l.chance(0.5) ? `<div class="small">${l.token()}</div>` : ''}</div>`)}</div>`;

const headed: Part = (l) =>
  `<div style="display:flex;align-items:center;gap:8px;padding:${l.whole(2, 10)}px ${l.whole(4, 14)}px;background:${l.pick([l.accentCss, l.line(8), l.line(30)])};color:${l.pick(['#fff', 'inherit'])};border-radius:${l.radius}px"><b style="flex:1;text-align:${l.pick(['left', 'center'])}">${l.title(1, 4)}</b>${l.times(0, 3, () => iconButton(l))}</div>`;

export const GROUPS: readonly Part[] = [
  signIn,
  portlets,
  toggles,
  tones,
  headed,
  portlets,
  tones,
  inputGroup,
  splitButton,
  roundButtons,
  accordion,
  figures,
  panel,
  panel,
  list,
  drawing,
  sliders,
  declarations,
  declarations,
  reference,
  reference,
  reference,
  values,
  editor,
  dataTable,
  dataTable,
  largeType,
  person,
  pills,
  barred,
  options,
  combo,
  spin,
  groupBox,
  headline,
  footer,
  cells,
  keypad,
  chips,
  palette,
  shortcutMenu,
  (l) => consoleScreen(l),
  (l) => `<div class="row">${l.times(2, 5, () => splitButton(l))}</div>`,
  (l) => `<div style="display:flex;gap:14px">${picture(l)}<div>${heading(l)}${l.sentence(6, 30)}</div></div>`,
  (l) => `<div class="row">${l.times(1, 4, () => l.pick([combo, spin, input, button])(l))}</div>`,
];
