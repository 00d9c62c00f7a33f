import { inputGroup } from './input-group.ts';
import type { Look } from './look.ts';
import { badge, link } from './parts.ts';

/** Pieces of documentation, of data and of source text. Each returns HTML. */
type Part = (look: Look) => string;

/** A list of declarations: type to the right, name to the left. */
export const declarations: Part = (l) => {
  const right = l.chance(0.6);
  const type = () =>
    l.pick([
      () => 'void',
      () => `<a href="#">${l.title(1, 1)}</a>`,
      () => `<a href="#">${l.title(1, 1)}</a> *`,
      () => `const <a href="#">char</a> *`,
    ])();
  const row = () =>
    `<tr><td style="padding:${l.room(2)}px 2px;text-align:${right ? 'right' : 'left'};color:${l.inkCss(20)}">${type()}</td><td style="padding:${l.room(2)}px 3px"><a href="#" style="text-decoration:none">${l.words(1, 1)}_${l.words(1, 1)}${l.chance(0.7) ? `_${l.words(1, 1)}` : ''}</a> <span style="color:${l.inkCss(25)}">()</span></td></tr>`;
  return `<table>${l.times(4, 18, row)}</table>`;
};

/** Running text full of links and names in another font. */
export const reference: Part = (l) => {
  const styled = l.chance(0.6);
  const name = () => {
    const text = `<a href="#">${l.pick([l.title(1, 1) + l.title(1, 1), l.name()])}</a>`;
    return styled ? `<code>${text}</code>` : text;
  };
  const names = () => Array.from({ length: l.whole(1, 7) }, name).join(', ');
  const piece = () =>
    l.pick([
      () => l.sentence(4, 14),
      () => `${l.words(1, 5)} (${names()})`,
      () => `${l.words(1, 4)} ${name()} ${l.words(1, 4)}`,
      () => names(),
      () => `<code>${l.name()}</code>`,
    ])();
  const entry = () =>
    `<dt style="${l.chance(0.5) ? 'font-weight:bold' : ''}">${l.pick([name, (): string => l.title(1, 2)])()}</dt><dd>${Array.from({ length: l.whole(1, 5) }, piece).join(' ')}</dd>`;
  return l.chance(0.5)
    ? `<dl>${l.times(1, 5, entry)}</dl>`
    : `<p>${Array.from({ length: l.whole(2, 10) }, piece).join(' ')}</p>`;
};

/** Rows of a tree of values, as editors of data have them. */
export const values: Part = (l) => {
  const size = l.whole(18, 28);
  const mono = l.chance(0.7) ? `font-family:${l.mono};` : '';
  const bare = (n: number, colour = 'currentColor') =>
    `<button style="padding:0;border:0;background:transparent;box-shadow:none;width:${size}px;height:${size}px">${l.icon(n, colour)}</button>`;
  const row = () =>
    `<div style="display:flex;align-items:center;height:${size}px;gap:${l.pick([0, 2, 4])}px">${bare(10, l.line(30))}${l.chance(0.7) ? bare(12) : ''}<span style="width:${l.pick([4, 20, 40])}px"></span><div data-control="input" style="padding:0 2px">${l.words(1, 1)}</div><span style="padding:0 3px">${l.pick([':', '=', ''])}</span>${l.chance(0.7) ? `<div data-control="input" style="color:${l.colour()}">${l.chance(0.6) ? l.token() : l.words(1, 5)}</div>` : `<span class="muted">{${l.whole(1, 9)}}</span>`}</div>`;
  return `<div style="${mono}border:1px solid ${l.accentCss};width:${l.whole(300, 640)}px"><div style="background:${l.accentCss};color:#fff;display:flex;padding:4px;align-items:center">${l.times(2, 6, () => bare(16))}<span style="flex:1"></span>${l.chance(0.6) ? inputGroup(l) : ''}</div>${l.times(3, 14, row)}</div>`;
};

/** Source text with numbers of lines, light or dark. */
export const editor: Part = (l) => {
  const dark = l.chance(0.5);
  const ground = dark ? `hsl(${l.whole(0, 360)} 8% ${l.whole(6, 18)}%)` : '#fff';
  const ink = () =>
    `hsl(${l.whole(0, 360)} ${l.whole(10, 80)}% ${dark ? l.whole(55, 85) : l.whole(20, 50)}%)`;
  const inkOf = [ink(), ink(), ink(), dark ? '#ddd' : '#222'];
  const size = l.whole(11, 16);
  const piece = () =>
    `<span style="color:${l.pick(inkOf)}">${l.pick([l.words(1, 1), `${l.words(1, 1)}(`, '{', '}', '= 0;', ');', `"${l.words(1, 2)}"`, '&lt;', '+', l.name()])}</span>`;
  const lines = Array.from({ length: l.whole(4, 20) }, (_, i) => ({
    n: i + 1,
    text: `${' '.repeat(l.pick([0, 2, 4, 4, 8]))}${Array.from({ length: l.whole(1, 8) }, piece).join(l.pick([' ', ' ', '']))}`,
  }));
  const numbers = l.chance(0.7)
    ? `<div style="background:${dark ? 'rgba(255,255,255,.06)' : l.line(5)};text-align:right;padding:0 8px;color:#888">${lines.map(({ n }) => `<div>${n}</div>`).join('')}</div>`
    : '';
  return `<div style="display:flex;background:${ground};font:${size}px/1.35 '${l.mono}';color:${dark ? '#ddd' : '#222'}">${numbers}<div style="padding-left:6px;white-space:pre">${lines.map(({ text }) => `<div>${text}</div>`).join('')}</div></div>`;
};

export const dataTable: Part = (l) => {
  const columns = l.whole(3, 7);
  const edge = l.chance(0.6) ? `border:1px solid ${l.line(12)}` : `border-bottom:1px solid ${l.line(12)}`;
  const sign = l.pick(['↑↓', '▲', '⇅', '', l.icon(11)]);
  const headed = l.chance(0.5);
  const head = Array.from(
    { length: columns },
    () =>
      `<th ${headed ? 'data-control="button"' : ''} style="${edge}"><span>${l.title(1, 2)}</span><span class="muted" style="float:right;padding-left:12px">${sign}</span></th>`,
  ).join('');
  const kinds = Array.from({ length: columns }, () =>
    l.pick(['name', 'token', 'name', 'link', 'check', 'badge']),
  );
  const makers: Record<string, () => string> = {
    name: () => l.title(1, 3),
    token: () => l.token(),
    link: () => link(l),
    check: () => '<input type="checkbox">',
    badge: () => badge(l),
  };
  const cell = (kind: string) => makers[kind]?.() ?? '';
  const rows = l.times(
    3,
    12,
    () => `<tr>${kinds.map((kind) => `<td style="${edge}">${cell(kind)}</td>`).join('')}</tr>`,
  );
  const top = l.chance(0.5)
    ? `<div class="row" style="justify-content:space-between"><span>Show <select><option>10</option></select> entries</span><label>Search: <input style="width:160px"></label></div>`
    : '';
  return `${top}<table style="width:100%"><tr>${head}</tr>${rows}</table>`;
};
