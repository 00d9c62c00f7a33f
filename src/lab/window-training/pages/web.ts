import { GROUPS } from './groups.ts';
import type { Look } from './look.ts';
import { button, crumbs, form, heading, iconButton, input, link, list, PARTS, tabs, toc } from './parts.ts';

/** A web page: header, side columns, content, footer, perhaps a dialog over it. */
export function web(l: Look): string {
  const parts = (from: number, to: number) =>
    l.times(
      from,
      to,
      () => `<div style="margin:${l.room(12)}px 0">${l.pick(l.chance(0.5) ? GROUPS : PARTS)(l)}</div>`,
    );
  const pad = l.room(l.pick([8, 16, 24, 40]));
  const header = l.chance(0.75) ? headerOf(l) : '';
  const side = l.chance(0.45) ? sideOf(l) : '';
  const right = l.chance(0.2)
    ? `<aside style="width:${l.whole(150, 240)}px;flex:none;padding:${pad}px;${l.chance(0.5) ? `background:${l.line(4)}` : ''}">${heading(l)}${toc(l)}</aside>`
    : '';
  const columns = l.chance(0.25)
    ? `<div style="display:grid;grid-template-columns:1fr 1fr;gap:${l.room(20)}px"><div>${parts(2, 5)}</div><div>${parts(2, 5)}</div></div>`
    : parts(4, 10);
  const narrow = l.chance(0.3)
    ? `max-width:${l.whole(560, 1000)}px;${l.chance(0.6) ? 'margin:0 auto;' : ''}`
    : '';
  const main = `<main style="flex:1;min-width:0;padding:${pad}px;${narrow}">${l.chance(0.25) ? crumbs(l) : ''}${l.chance(0.7) ? heading(l) : ''}${l.chance(0.15) ? tabs(l) : ''}${columns}</main>`;
  const order = l.chance(0.15) ? [main, side, right] : [side, main, right];
  return `${header}<div style="display:flex;min-height:700px">${order.join('')}</div>${l.chance(0.12) ? dialogOf(l) : ''}`;
}

function headerOf(l: Look): string {
  const tone = l.pick([
    `background:${l.accentCss};color:#fff`,
    `background:${l.panelCss}`,
    `background:${l.line(30)};color:${l.dark ? '#000' : '#fff'}`,
    '',
  ]);
  const items = l.times(2, 7, () =>
    l.chance(0.75) ? `<a href="#" style="color:inherit">${l.title(1, 2)}</a>` : iconButton(l),
  );
  const search = l.chance(0.4) ? `<span>${input(l)}${l.chance(0.5) ? button(l) : ''}</span>` : '';
  return `<header data-part="toolbar" style="display:flex;gap:${l.room(18)}px;align-items:center;padding:${l.room(10)}px ${l.room(18)}px;${tone};${l.chance(0.5) ? `border-bottom:1px solid ${l.line(12)}` : ''}"><a href="#" style="color:inherit;text-decoration:none;font-size:1.3em">${l.chance(0.5) ? `${l.icon(24)} ` : ''}${l.title(1, 2)}</a><span style="flex:${l.pick([0, 1])}"></span>${items}${search}</header>`;
}

function sideOf(l: Look): string {
  const tone = l.pick([
    `background:${l.line(5)}`,
    `background:${l.panelCss};border-right:1px solid ${l.line(12)}`,
    `background:linear-gradient(${l.accentCss},${l.line(45)});color:#fff`,
    `background:${l.line(60)};color:${l.dark ? '#000' : '#fff'}`,
    '',
  ]);
  const [iconShare, gap, size] = [l.pick([0, 0.5, 1]), l.whole(4, 16), l.whole(11, 18)];
  const item = (i: number) => {
    const icon = l.chance(iconShare) ? l.icon(size) : '';
    const arrow = l.chance(0.2) ? `<span style="flex:1"></span>${l.icon(12)}` : '';
    const on = i === 1 && l.chance(0.6) ? `background:${l.line(12)};` : '';
    return `<a href="#" style="color:inherit;text-decoration:none;display:flex;gap:${gap}px;align-items:center;padding:${l.room(7)}px ${l.room(12)}px;${on}">${icon}<span>${l.title(1, 2)}</span>${arrow}</a>`;
  };
  const group = () =>
    `${l.chance(0.5) ? `<div class="tiny" style="padding:${l.room(8)}px ${l.room(12)}px;opacity:.7">${l.title(1, 2).toUpperCase()}</div>` : ''}${l.times(2, 8, item)}`;
  const inner = l.chance(0.7)
    ? l.times(1, 3, group)
    : `<div style="padding:12px">${l.pick([toc, list])(l)}</div>`;
  return `<nav style="width:${l.whole(150, 290)}px;flex:none;${tone}">${inner}</nav>`;
}

function dialogOf(l: Look): string {
  const w = l.whole(280, 620);
  return `<div style="position:fixed;inset:0;background:rgba(0,0,0,.45)"></div><div data-part="window" class="card" style="position:fixed;left:${l.whole(120, 600)}px;top:${l.whole(60, 250)}px;width:${w}px;z-index:5;background:${l.panelCss}"><div class="row" style="justify-content:space-between"><b>${l.title(1, 4)}</b>${iconButton(l)}</div>${l.chance(0.5) ? form(l) : `<p>${l.sentence(6, 20)}</p><div class="row" style="justify-content:flex-end">${button(l)}${button(l)}</div>`}${l.chance(0.2) ? link(l) : ''}</div>`;
}
