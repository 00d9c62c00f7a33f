import { GROUPS } from './groups.ts';
import type { Look } from './look.ts';
import {
  button,
  check,
  form,
  iconButton,
  input,
  keyValues,
  list,
  PARTS,
  prose,
  table,
  tabs,
  toolbar,
  tree,
} from './parts.ts';

/** A desktop with one or two windows in the look of a toolkit: title bar, menu bar, tool bar, panes, status bar. */
export function desktop(l: Look): string {
  const full = l.chance(0.45);
  const ground = l.chance(0.6)
    ? l.colour()
    : `linear-gradient(${l.number(0, 360).toFixed(0)}deg,${l.colour()},${l.colour()})`;
  const windows = full
    ? windowOf(l, 0, 0, 1280, 800)
    : l.times(1, 2, (i) =>
        windowOf(
          l,
          l.whole(10, 300) + i * 200,
          l.whole(10, 150) + i * 100,
          l.whole(480, 900),
          l.whole(340, 640),
        ),
      );
  return `<style>body{margin:0;background:${ground}}</style><div style="position:relative;width:1280px;height:800px;overflow:hidden">${windows}</div>`;
}

function windowOf(l: Look, x: number, y: number, w: number, h: number): string {
  const bar = l.pick([26, 30, 34, 40, 46]);
  const tone = l.pick([
    `background:${l.line(10)}`,
    `background:${l.accentCss};color:#fff`,
    `background:linear-gradient(${l.line(4)},${l.line(16)})`,
    `background:${l.panelCss}`,
  ]);
  const lamps = `<span style="display:flex;gap:8px;padding:0 10px">${['#ff5f57', '#febc2e', '#28c840'].map((c) => `<span role="button" style="width:12px;height:12px;border-radius:50%;background:${c}"></span>`).join('')}</span>`;
  const keys = `<span style="display:flex">${l.times(1, 3, () => `<button style="width:${bar + 4}px;height:${bar - 4}px;padding:0;background:transparent;border:0;box-shadow:none;color:inherit">${l.icon(12)}</button>`)}</span>`;
  const title = `<span style="flex:1;text-align:${l.pick(['center', 'left'])};padding:0 8px;${l.chance(0.5) ? 'font-weight:bold' : ''}">${l.title(1, 5)}</span>`;
  const header = l.chance(0.35)
    ? `${button(l)}${title}${iconButton(l)}${keys}`
    : l.chance(0.4)
      ? `${lamps}${title}`
      : `${l.chance(0.5) ? l.icon(16) : ''}${title}${keys}`;
  const menu = l.chance(0.55)
    ? `<div data-part="toolbar" style="display:flex;padding:${l.room(2)}px 4px;${l.chance(0.4) ? `border-bottom:1px solid ${l.line(12)}` : ''}">${l.times(3, 9, () => `<span role="menuitem" data-control="menu" style="padding:${l.room(3)}px ${l.room(8)}px">${l.title(1, 1)}</span>`)}</div>`
    : '';
  const tools = l.chance(0.55) ? toolbar(l) : '';
  const status = l.chance(0.5)
    ? `<div class="small" style="border-top:1px solid ${l.line(12)};padding:3px 8px;display:flex;gap:20px">${l.times(1, 4, () => `<span>${l.title(1, 3)}</span>`)}</div>`
    : '';
  return `<div data-part="window" style="position:absolute;left:${x}px;top:${y}px;width:${w}px;height:${h}px;background:${l.panelCss};color:${l.inkCss()};display:flex;flex-direction:column;overflow:hidden;border:1px solid ${l.line(30)};border-radius:${l.pick([0, 0, 6, 10])}px;box-shadow:0 4px 20px rgba(0,0,0,.35)"><div data-part="titlebar" style="display:flex;align-items:center;gap:6px;height:${bar}px;flex:none;padding:0 4px;${tone}">${header}</div>${menu}${tools}<div style="flex:1;min-height:0;display:flex;overflow:hidden">${panes(l)}</div>${status}</div>`;
}

function panes(l: Look): string {
  const pad = l.room(10);
  const side = l.chance(0.5)
    ? `<div style="width:${l.whole(140, 260)}px;flex:none;overflow:hidden;padding:${pad}px;border-right:1px solid ${l.line(14)};background:${l.line(l.pick([0, 3, 6]))}">${l.pick([tree, list, tree, settingsNav])(l)}</div>`
    : '';
  const main = `<div style="flex:1;min-width:0;overflow:hidden;padding:${pad}px">${l.pick([grid, settings, (k: Look) => `${tabs(k)}<div style="padding:8px">${form(k)}</div>`, (k: Look) => k.times(3, 7, () => `<div style="margin:${k.room(9)}px 0">${k.pick(k.chance(0.5) ? GROUPS : PARTS)(k)}</div>`), keypad, dialogBody])(l)}</div>`;
  return side + main;
}

const settingsNav = (l: Look): string =>
  l.times(
    4,
    12,
    (i) =>
      `<div data-control="menu" style="padding:${l.room(6)}px;${i === 2 ? `background:${l.accentCss};color:#fff;border-radius:${l.radius}px` : ''}">${l.chance(0.7) ? `${l.icon(16)} ` : ''}${l.title(1, 2)}</div>`,
  );

const grid = (l: Look): string =>
  `<div style="background:${l.dark ? l.line(3) : '#fff'};border:1px solid ${l.line(16)}">${table(l)}</div>`;

const settings = (l: Look): string =>
  l.times(
    4,
    12,
    () =>
      `<div style="display:flex;align-items:center;padding:${l.room(7)}px;${l.chance(0.5) ? `border-bottom:1px solid ${l.line(8)}` : ''}"><div style="flex:1"><div>${l.title(1, 4)}</div>${l.chance(0.4) ? `<div class="small muted">${l.sentence(3, 9)}</div>` : ''}</div>${l.pick([input, check, button, (k: Look) => `<input type="number" value="${k.whole(0, 99)}" style="width:80px">`])(l)}</div>`,
  );

const keypad = (l: Look): string => {
  const columns = l.whole(3, 6);
  return `<div style="text-align:right;font-size:1.6em;border:1px solid ${l.line(16)};padding:6px;margin-bottom:8px">${l.whole(0, 99999)}</div><div style="display:grid;grid-template-columns:repeat(${columns},1fr);gap:${l.pick([1, 4, 8])}px">${l.times(12, 24, () => `<button style="padding:${l.room(10)}px 2px">${l.pick(['7', '8', '9', '+', '-', 'C', 'sin', 'MR', '%', '.', '=', l.title(1, 1)])}</button>`)}</div>`;
};

const dialogBody = (l: Look): string =>
  `<div style="display:flex;gap:14px">${l.icon(40, l.accentCss)}<div>${prose(l)}${l.chance(0.4) ? keyValues(l) : ''}${l.chance(0.5) ? check(l) : ''}</div></div><div class="row" style="justify-content:${l.pick(['flex-end', 'center', 'flex-start'])}">${button(l)}${button(l)}${l.chance(0.4) ? button(l) : ''}</div>`;
