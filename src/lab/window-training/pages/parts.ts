import type { Look } from './look.ts';

/** Pieces that pages are made of. Each returns HTML. */
type Part = (look: Look) => string;

export const button: Part = (l) => {
  const kind = l.chance(0.3) ? ' primary' : l.chance(0.12) ? ' ghost' : '';
  const pill = l.chance(0.08) ? ' pill' : '';
  const icon = l.chance(0.2) ? `${l.icon(l.whole(11, 18))} ` : '';
  const tag = l.chance(0.3) ? 'a' : 'button';
  const href = tag === 'a' ? ' href="#" role="button"' : '';
  const tone = kind === '' && l.chance(0.15) ? `style="background:${l.colour()};color:#fff"` : '';
  return `<${tag}${href} class="btn${kind}${pill}" ${tone}>${icon}${l.title(1, 3)}</${tag}>`;
};

export const iconButton: Part = (l) => {
  const size = l.pick([20, 24, 28, 32, 36, 40]);
  const bare = l.chance(0.5) ? 'background:transparent;border-color:transparent;box-shadow:none;' : '';
  const round = l.chance(0.3) ? 'border-radius:50%;' : '';
  return `<button style="padding:0;width:${size}px;height:${size}px;${bare}${round}">${l.icon(Math.round(size * l.number(0.4, 0.7)))}</button>`;
};

export const link: Part = (l) => `<a href="#">${l.title(1, 4)}</a>`;

export const heading: Part = (l) =>
  `<h${l.whole(1, 3)}>${l.title(1, 6)}</h3>`.replace(/<h(\d)>(.*)<\/h3>/, '<h$1>$2</h$1>');

export const prose: Part = (l) => {
  const piece = () => {
    const text = l.sentence(3, 14);
    if (l.chance(0.18)) return `<a href="#">${l.words(1, 4)}</a>`;
    if (l.chance(0.08)) return `<code>${l.words(1, 2)}</code>`;
    if (l.chance(0.08)) return `<b>${l.words(1, 3)}</b>`;
    if (l.chance(0.04)) return `<em>${l.words(1, 3)}</em>`;
    return text;
  };
  return `<p>${Array.from({ length: l.whole(1, 9) }, piece).join(' ')}</p>`;
};

export const list: Part = (l) => {
  const tag = l.pick(['ul', 'ul', 'ol']);
  const bullet = l.chance(0.25) ? 'list-style:none;padding:0' : l.chance(0.3) ? 'list-style:square' : '';
  const linked = l.chance(0.5);
  const item = () =>
    `<li style="margin:${l.room(3)}px 0">${linked ? link(l) : l.chance(0.2) ? prose(l) : l.sentence(2, 9)}</li>`;
  return `<${tag} style="${bullet}">${l.times(2, 9, item)}</${tag}>`;
};

export const toc: Part = (l) =>
  `<ul style="${l.chance(0.5) ? 'list-style:none;' : ''}">${l.times(3, 14, () => `<li style="margin-left:${l.pick([0, 0, 20, 40])}px;padding:${l.room(2)}px 0">${link(l)}</li>`)}</ul>`;

export const code: Part = (l) => {
  const line = () => {
    const words = Array.from({ length: l.whole(1, 7) }, () =>
      l.chance(0.4) ? `<span style="color:${l.colour()}">${l.words(1, 1)}</span>` : l.words(1, 1),
    );
    return `${' '.repeat(l.pick([0, 0, 2, 4]))}${words.join(l.pick([' ', ' = ', '.', '(', ', ']))}`;
  };
  const box = l.chance(0.7) ? `background:${l.line(5)};padding:${l.room(10)}px;` : '';
  const edge = l.chance(0.3) ? `border:1px solid ${l.line(15)};` : '';
  return `<pre style="${box}${edge}overflow:hidden">${l.times(1, 9, () => `${line()}\n`)}</pre>`;
};

export const input: Part = (l) => {
  const width = l.pick(['120px', '160px', '200px', '240px', '300px', '420px', '100%', '100%']);
  const tone = l.chance(0.1) ? `;background:${l.line(3)};border:0` : '';
  if (l.chance(0.2))
    return `<select style="width:${width}${tone}"><option>${l.title(1, 3)}</option></select>`;
  if (l.chance(0.08))
    return `<textarea style="width:${width};height:${l.whole(50, 120)}px" placeholder="${l.title(2, 6)}"></textarea>`;
  if (l.chance(0.1))
    return `<input type="number" value="${l.whole(0, 500)}" style="width:${l.whole(60, 110)}px">`;
  if (l.chance(0.05)) return '<input type="range">';
  if (l.chance(0.04)) return '<input type="file">';
  const content = l.pick(['', `placeholder="${l.title(1, 3)}"`, `value="${l.title(1, 3)}"`]);
  return `<input ${content} type="${l.pick(['text', 'text', 'email', 'search'])}" style="width:${width}${tone}">`;
};

export const check: Part = (l) => {
  const label = l.title(1, 4);
  if (l.chance(0.2)) {
    const on = l.chance(0.5);
    const colour = on ? l.accentCss : l.line(22);
    return `<span class="row" style="gap:8px"><span role="switch" style="width:36px;height:20px;border-radius:10px;background:${colour};display:inline-block;padding:3px ${on ? '19px' : '3px'}"><span style="display:block;width:14px;height:14px;border-radius:50%;background:#fff"></span></span>${label}</span>`;
  }
  const type = l.pick(['checkbox', 'checkbox', 'radio']);
  return `<label><input type="${type}" ${l.chance(0.5) ? 'checked' : ''}> ${label}</label>`;
};

export const form: Part = (l) => {
  const stacked = l.chance(0.6);
  const field = () => {
    const label = `<label ${stacked ? 'style="display:block;margin-bottom:3px"' : `style="display:inline-block;width:${l.whole(70, 170)}px"`}>${l.title(1, 3)}${l.chance(0.3) ? ':' : ''}</label>`;
    const hint = l.chance(0.2) ? `<div class="muted small">${l.sentence(3, 8)}</div>` : '';
    return `<div style="margin:${l.room(9)}px 0">${label}${input(l)}${hint}</div>`;
  };
  const inner = `${l.times(1, 6, () => (l.chance(0.25) ? `<div style="margin:${l.room(6)}px 0">${check(l)}</div>` : field()))}<div class="row" style="margin-top:${l.room(12)}px">${l.times(1, 3, () => button(l))}</div>`;
  if (l.chance(0.15))
    return `<fieldset style="border:1px solid ${l.line(18)}"><legend>${l.title(1, 3)}</legend>${inner}</fieldset>`;
  return `<div>${inner}</div>`;
};

export const table: Part = (l) => {
  const columns = l.whole(2, 7);
  const edge = l.pick(['cells', 'rows', 'none', 'stripes']);
  const cell =
    edge === 'cells'
      ? `border:1px solid ${l.line(14)}`
      : edge === 'rows'
        ? `border-bottom:1px solid ${l.line(12)}`
        : '';
  const head = Array.from(
    { length: columns },
    () =>
      `<th style="${cell};${l.chance(0.3) ? `background:${l.line(6)}` : ''}">${l.title(1, 2)}${l.chance(0.15) ? ` ${l.icon(10)}` : ''}</th>`,
  );
  const contents = Array.from({ length: columns }, () =>
    l.pick(['token', 'token', 'words', 'link', 'button', 'check', 'icons']),
  );
  const makers: Record<string, () => string> = {
    token: () => l.token(),
    words: () => l.words(1, 5),
    link: () => link(l),
    button: () => button(l),
    check: () => '<input type="checkbox">',
    icons: () => `${iconButton(l)} ${iconButton(l)}`,
  };
  const row = (i: number) =>
    `<tr ${edge === 'stripes' && i % 2 ? `style="background:${l.line(4)}"` : ''}>${contents.map((kind) => `<td style="${cell}">${makers[kind]?.()}</td>`).join('')}</tr>`;
  return `<table style="width:${l.pick(['auto', '100%'])}"><tr>${head.join('')}</tr>${l.times(2, 9, row)}</table>`;
};

export const tabs: Part = (l) => {
  const boxed = l.chance(0.5);
  const active = l.whole(0, 2);
  const tab = (i: number) => {
    const on = i === active;
    const box = boxed
      ? `border:1px solid ${l.line(16)};${on ? `border-bottom-color:${l.panelCss};background:${l.panelCss}` : `background:${l.line(6)}`}`
      : on
        ? `border-bottom:2px solid ${l.accentCss}`
        : '';
    return `<a role="tab" href="#" style="padding:${l.room(7)}px ${l.room(14)}px;text-decoration:none;display:inline-block;${box}">${l.title(1, 2)}</a>`;
  };
  return `<div style="border-bottom:1px solid ${l.line(16)};display:flex;gap:${l.pick([0, 2, 6])}px">${l.times(2, 6, tab)}</div>`;
};

export const crumbs: Part = (l) => {
  const joint = l.pick([' &gt; ', ' / ', ' » ', ' | ']);
  if (l.chance(0.5)) return `<div>${Array.from({ length: l.whole(2, 6) }, () => link(l)).join(joint)}</div>`;
  return `<div class="row">${Array.from({ length: l.whole(2, 5) }, () => `<span>${link(l)}</span>`).join(`<span class="muted">${l.pick(['/', '›', '>'])}</span>`)}</div>`;
};

export const pages: Part = (l) => {
  const boxed = l.chance(0.7);
  return `<div style="display:flex;gap:${l.pick([0, 4, 8])}px">${l.times(3, 8, (i) => (boxed ? `<a href="#" style="border:1px solid ${l.line(16)};padding:4px 10px;text-decoration:none;background:${i === 1 ? l.accentCss : l.panelCss}">${i + 1}</a>` : `<a href="#">${i + 1}</a>`))}</div>`;
};

export const badge: Part = (l) =>
  `<span style="background:${l.colour()};color:#fff;border-radius:${l.pick([3, 10])}px;padding:1px 6px" class="small">${l.token()}</span>`;

export const alert: Part = (l) => {
  const colour = l.colour();
  return `<div style="border:1px solid ${colour};${l.chance(0.6) ? `background:color-mix(in srgb, ${colour} 15%, ${l.panelCss});` : ''}border-radius:${l.radius}px;padding:${l.room(10)}px;margin:${l.room(8)}px 0">${l.chance(0.4) ? `${l.icon(16)} ` : ''}${l.sentence(4, 14)} ${l.chance(0.3) ? link(l) : ''}</div>`;
};

export const card: Part = (l) =>
  `<div class="card" style="min-width:${l.whole(140, 320)}px;flex:1">${l.pick([() => `<div class="muted small">${l.title(1, 3)}</div><div style="font-size:1.6em">${l.token()}</div>`, () => `${heading(l)}${prose(l)}${button(l)}`, () => `${l.icon(l.whole(24, 48), l.accentCss)} ${heading(l)}${list(l)}`, () => `${picture(l)}<div>${l.title(2, 5)}</div><div class="muted">${l.sentence(3, 9)}</div>`])()}</div>`;

export const picture: Part = (l) => {
  const stops = Array.from(
    { length: l.whole(3, 8) },
    (_, i) =>
      `<circle cx="${l.whole(0, 100)}" cy="${l.whole(0, 60)}" r="${l.whole(5, 45)}" fill="${l.colour()}" opacity="${l.number(0.3, 1).toFixed(2)}" data-n="${i}"/>`,
  );
  return `<svg width="${l.whole(60, 340)}" height="${l.whole(40, 200)}" viewBox="0 0 100 60" preserveAspectRatio="none" style="background:${l.colour()}">${stops.join('')}</svg>`;
};

export const progress: Part = (l) =>
  `<div style="background:${l.line(8)};height:${l.pick([4, 8, 14, 18])}px;border-radius:${l.radius}px;overflow:hidden;width:${l.whole(100, 400)}px"><div style="background:${l.accentCss};width:${l.whole(5, 95)}%;height:100%"></div></div>`;

export const chart: Part = (l) => {
  const w = l.whole(240, 560);
  const h = l.whole(120, 260);
  const grid = Array.from(
    { length: 5 },
    (_, i) =>
      `<div style="position:absolute;left:0;top:${(i * h) / 5 - 7}px" class="small muted">${l.token()}</div>`,
  );
  const points = Array.from({ length: 9 }, (_, i) => `${50 + (i * (w - 60)) / 8},${l.whole(8, h - 10)}`);
  const lines = Array.from(
    { length: 5 },
    (_, i) => `<path d="M50 ${(i * h) / 5}H${w}" stroke="${l.line(10)}"/>`,
  );
  return `<div style="position:relative;height:${h + 20}px;width:${w}px">${grid.join('')}<svg width="${w}" height="${h}">${lines.join('')}<polyline points="${points.join(' ')}" fill="none" stroke="${l.accentCss}" stroke-width="2"/></svg></div>`;
};

export const menu: Part = (l) => {
  const [iconShare, gap, size] = [l.pick([0, 0.4, 0.8, 1]), l.whole(4, 24), l.whole(10, 18)];
  const none = l.chance(0.6) ? `<span style="width:${size}px"></span>` : '';
  const item = () =>
    `<div role="menuitem" data-control="menu" style="padding:${l.room(5)}px ${l.room(14)}px;display:flex;gap:${gap}px;align-items:center">${l.chance(iconShare) ? l.icon(size) : none}<span style="flex:1">${l.title(1, 3)}</span>${l.chance(0.3) ? '<span class="muted small">Ctrl+K</span>' : ''}</div>`;
  return `<div class="card" style="padding:4px 0;width:${l.whole(140, 280)}px">${l.times(3, 9, () => (l.chance(0.15) ? '<hr>' : item()))}</div>`;
};

export const toolbar: Part = (l) =>
  `<div data-part="toolbar" style="display:flex;gap:${l.pick([0, 2, 4, 8])}px;align-items:center;padding:${l.room(4)}px;background:${l.line(l.pick([0, 4, 8]))};${l.chance(0.5) ? `border-bottom:1px solid ${l.line(14)};` : ''}">${l.times(3, 14, () => l.pick([iconButton, iconButton, iconButton, button, (x: Look) => `<span style="width:1px;height:20px;background:${x.line(18)}"></span>`])(l))}</div>`;

export const keyValues: Part = (l) =>
  `<dl style="display:grid;grid-template-columns:${l.pick(['auto 1fr', '140px 1fr', '200px 1fr'])};gap:${l.room(5)}px ${l.room(14)}px">${l.times(2, 9, () => `<dt class="${l.pick(['', 'muted'])}" style="${l.chance(0.4) ? 'font-weight:bold' : ''}">${l.title(1, 3)}${l.pick(['', ':'])}</dt><dd style="margin:0">${l.chance(0.2) ? link(l) : l.chance(0.2) ? badge(l) : l.words(1, 5)}</dd>`)}</dl>`;

export const tree: Part = (l) =>
  `<div>${l.times(4, 16, () => `<div style="padding:${l.room(2)}px 0 ${l.room(2)}px ${l.pick([0, 18, 18, 36, 54])}px;display:flex;gap:5px;align-items:center">${l.chance(0.4) ? l.icon(9) : ''}${l.chance(0.6) ? l.icon(15, l.colour()) : ''}${l.chance(0.5) ? `<span role="treeitem" data-control="menu">${l.title(1, 3)}</span>` : `<span>${l.title(1, 3)}</span>`}</div>`)}</div>`;

export const calendar: Part = (l) => {
  const size = l.whole(22, 38);
  const edge = l.chance(0.5) ? `border:1px solid ${l.line(14)};background:${l.line(4)};` : '';
  const days = Array.from(
    { length: 35 },
    (_, i) =>
      `<a href="#" style="${edge}text-decoration:none;width:${size}px;height:${size}px;line-height:${size}px;text-align:center;display:inline-block">${(i % 30) + 1}</a>`,
  );
  return `<div class="${l.pick(['', 'card'])}" style="padding:${l.pick([0, 4])}px;width:${size * 7 + 22}px">${`<div class="row" style="flex-wrap:nowrap;justify-content:space-between;border-radius:${l.radius}px;${l.pick(['', `background:${l.line(8)}`, `border:1px solid ${l.line(14)};background:${l.line(5)}`, `background:${l.accentCss};color:#fff`])}">`}${iconButton(l)}<b>${l.title(1, 1)} 20${l.whole(20, 30)}</b>${iconButton(l)}</div><div style="display:grid;grid-template-columns:repeat(7,${size}px);gap:2px">${['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map((d) => `<span class="small" style="text-align:center">${d}</span>`).join('')}${days.join('')}</div></div>`;
};

export const PARTS: readonly Part[] = [
  heading,
  prose,
  prose,
  prose,
  list,
  toc,
  code,
  form,
  form,
  table,
  table,
  tabs,
  crumbs,
  pages,
  alert,
  progress,
  chart,
  menu,
  toolbar,
  keyValues,
  tree,
  calendar,
  picture,
  (l) => `<div class="row">${l.times(1, 6, () => button(l))}</div>`,
  (l) => `<div class="row">${l.times(1, 6, () => iconButton(l))}</div>`,
  (l) => `<div class="row">${l.times(2, 7, () => badge(l))}</div>`,
  (l) => `<div class="row" style="align-items:stretch">${l.times(2, 4, () => card(l))}</div>`,
  (l) => `<div class="row">${l.times(2, 8, () => link(l))}</div>`,
  (l) => `<div class="row">${l.times(2, 5, () => check(l))}</div>`,
  (l) => `<div>${input(l)} ${button(l)}</div>`,
  (l) =>
    `<div style="display:inline-flex;border:1px solid ${l.line(18)};border-radius:${l.radius}px;overflow:hidden">${l.times(2, 5, () => `<button style="border:0;border-right:1px solid ${l.line(18)};border-radius:0">${l.title(1, 2)}</button>`)}</div>`,
];
