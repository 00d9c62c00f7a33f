import type { Random } from '../../../lib/random/seeded-random.ts';
import { Look } from '../../window-training/pages/look.ts';
import type { Dialect, Part } from './dialect.ts';

export const LAYOUTS = ['form', 'table', 'dashboard', 'article', 'controls'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** One page of random content, written as a toolkit wants it. */
export function pageOf(dialect: Dialect, layout: Layout, random: Random): string {
  const l = new Look(random);
  const w = new Writer(l, dialect);
  const sheets = dialect.css.map((path) => `<link rel="stylesheet" href="/${dialect.package}/${path}">`);
  const script = dialect.script
    ? `<script type="module" src="/${dialect.package}/${dialect.script}"></script>`
    : '';
  return `<!doctype html><html ${dialect.html ?? ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${sheets.join('')}${script}<style>${dialect.style ?? ''}</style></head><body>${w[layout]()}</body></html>`;
}

const grid = (columns: string, cells: string): string =>
  `<div style="display:grid;grid-template-columns:${columns};gap:16px;margin:12px 0;align-items:start">${cells}</div>`;

class Writer {
  readonly #l: Look;
  readonly #d: Dialect;

  constructor(look: Look, dialect: Dialect) {
    this.#l = look;
    this.#d = dialect;
  }

  form(): string {
    const l = this.#l;
    const fields = () => l.times(3, 6, () => this.#field());
    const body = l.chance(0.5)
      ? `${grid('1fr 1fr', `<div>${fields()}</div><div>${fields()}</div>`)}`
      : fields();
    const title = l.chance(0.7) ? this.#tag('h2', 'cardTitle', l.title(1, 4)) : '';
    const inner = `${title}<p>${l.sentence(8, 20)}</p><form onsubmit="return false">${body}${l.times(1, 3, () => this.#check())}<div style="margin-top:14px">${this.#button('primary')} ${this.#button('plain')} ${l.chance(0.5) ? this.#link() : ''}</div></form>`;
    return `${this.#nav()}${this.#main(`${l.chance(0.5) ? this.#crumbs() : ''}${this.#tag('h1', 'title', l.title(1, 4))}${this.#card(inner)}`)}`;
  }

  table(): string {
    const l = this.#l;
    const tools = `<div style="display:flex;gap:10px;flex-wrap:wrap;align-items:center;margin:10px 0">${this.#button('primary')}${this.#button('plain')}<div style="width:220px">${this.#input()}</div><div style="width:160px">${this.#select()}</div></div>`;
    return `${this.#nav()}${this.#main(`${this.#crumbs()}${this.#tag('h1', 'title', l.title(1, 3))}${l.chance(0.6) ? tools : this.#tabs()}${this.#table()}${this.#pages()}`)}`;
  }

  dashboard(): string {
    const l = this.#l;
    const tile = () =>
      this.#card(
        `<div>${l.title(1, 2)}</div><div style="font-size:1.8em">${l.token()}</div><div><small>${l.title(2, 4)}</small> ${l.chance(0.4) ? this.#badge() : ''}</div>`,
      );
    const tiles = grid('repeat(3,1fr)', tile() + tile() + tile());
    const panes = grid(
      '2fr 1fr',
      `<div>${this.#card(`${this.#tag('h3', 'cardTitle', l.title(1, 3))}${this.#table(4)}`)}</div><div>${this.#card(`${this.#tag('h3', 'cardTitle', l.title(1, 3))}${this.#list()}`)}</div>`,
    );
    const main = `${this.#tag('h1', 'title', l.title(1, 3))}${l.chance(0.6) ? this.#alert() : ''}${tiles}${this.#progress()}${panes}`;
    return `${this.#nav()}<div style="display:flex"><aside style="width:210px;flex:none;padding:10px">${this.#side()}</aside><div style="flex:1;min-width:0;padding:0 16px">${main}</div></div>`;
  }

  article(): string {
    const l = this.#l;
    const part = () =>
      l.pick([
        () => `<p>${l.sentence(12, 40)} <a href="#">${l.words(1, 3)}</a> ${l.sentence(8, 30)}</p>`,
        () => `<p>${l.sentence(20, 60)}</p>`,
        () => `<ul>${l.times(3, 6, () => `<li>${l.sentence(3, 12)}</li>`)}</ul>`,
        () =>
          `<ol>${l.times(3, 5, () => `<li><a href="#">${l.title(2, 5)}</a> ${l.chance(0.4) ? l.sentence(3, 8) : ''}</li>`)}</ol>`,
        () =>
          `<pre><code>${l.times(2, 6, () => `${l.name()} ${l.words(1, 5)} = ${l.token()};\n`)}</code></pre>`,
        () => `<blockquote><p>${l.sentence(8, 25)}</p></blockquote>`,
        () => `<dl>${l.times(2, 4, () => `<dt>${l.title(1, 3)}</dt><dd>${l.sentence(4, 14)}</dd>`)}</dl>`,
        () => this.#alert(),
        () => this.#table(3),
      ])();
    const section = () => `<h2>${l.title(1, 5)}</h2>${part()}${part()}`;
    return `${this.#nav()}${this.#main(`${l.chance(0.5) ? this.#crumbs() : ''}${this.#tag('h1', 'title', l.title(2, 6))}${part()}${section()}${section()}${section()}`)}`;
  }

  controls(): string {
    const l = this.#l;
    const row = (inner: string) =>
      `<div style="display:flex;gap:10px;flex-wrap:wrap;align-items:center;margin:12px 0">${inner}</div>`;
    const kinds = ['primary', 'plain', 'danger', 'small'] as const;
    const block = () =>
      l.pick([
        () => row(l.times(3, 6, () => this.#button(l.pick(kinds)))),
        () => this.#group(),
        () => row(l.times(3, 7, () => this.#badge())),
        () => this.#tabs(),
        () => this.#pages(),
        () => this.#alert(),
        () => this.#menu(),
        () => this.#list(),
        () => row(l.times(2, 4, () => this.#check())),
        () => grid('1fr 1fr 1fr', this.#field() + this.#field() + this.#field()),
        () => this.#progress(),
        () => row(`${this.#iconButton()}${this.#iconButton()}${this.#iconButton()}${this.#button('plain')}`),
      ])();
    const part = () => `<div>${l.chance(0.6) ? `<h3>${l.title(1, 3)}</h3>` : ''}${block()}</div>`;
    return `${this.#nav()}${this.#main(l.chance(0.5) ? grid('1fr 1fr', l.times(8, 12, part)) : l.times(6, 9, part))}`;
  }

  #tag(name: string, part: Part | '', inner: string, more = ''): string {
    const own = part === '' ? undefined : this.#d.classes[part];
    return `<${name}${own ? ` class="${own}"` : ''}${more}>${inner}</${name}>`;
  }

  #main(inner: string): string {
    return this.#tag(
      'main',
      'main',
      inner,
      this.#d.classes.main ? '' : ' style="max-width:1100px;margin:0 auto;padding:12px"',
    );
  }

  #card(inner: string): string {
    const body = this.#d.classes.cardBody ? this.#tag('div', 'cardBody', inner) : inner;
    return this.#tag('div', 'card', body);
  }

  /** A list of links: of a bar, of tabs, of a path. */
  #links(list: Part, entry: Part, link: Part, from: number, to: number, more = '', on?: Part): string {
    const l = this.#l;
    const open = l.whole(0, 2);
    return this.#tag(
      this.#d.isFlat ? 'div' : 'ul',
      list,
      l.times(from, to, (i) => {
        const isOn = i === open && on !== undefined ? ` ${this.#d.classes[on] ?? ''}` : '';
        const text = l.title(1, 2);
        if (this.#d.isFlat)
          return `<a href="#" class="${this.#d.classes[entry] ?? ''} ${this.#d.classes[link] ?? ''}${isOn}"${more}>${text}</a>`;
        return `<li class="${this.#d.classes[entry] ?? ''}${isOn}"><a href="#" class="${this.#d.classes[link] ?? ''}${isOn}"${more}>${text}</a></li>`;
      }),
    );
  }

  #nav(): string {
    const l = this.#l;
    if (l.chance(0.15)) return '';
    const brand = `<a href="#" class="${this.#d.classes.brand ?? ''}">${l.title(1, 2)}</a>`;
    return this.#tag(
      'nav',
      'nav',
      `${brand}${this.#links('navList', 'navItem', 'navLink', 3, 6, '', 'navOn')}`,
    );
  }

  #side(): string {
    const l = this.#l;
    if (!this.#d.classes.side)
      return `<ul>${l.times(5, 9, () => `<li><a href="#">${l.title(1, 2)}</a></li>`)}</ul>`;
    return this.#links('side', 'sideItem', 'sideItem', 5, 9);
  }

  #tabs(): string {
    return this.#links('tabs', 'tab', 'tabLink', 3, 5, ' role="tab"', 'tabOn');
  }

  #crumbs(): string {
    return this.#tag('nav', '', this.#links('crumbs', 'crumb', 'crumb', 3, 4));
  }

  #pages(): string {
    const links = Array.from({ length: this.#l.whole(3, 7) }, (_, i) => {
      const link = `<a href="#" class="${this.#d.classes.pageLink ?? ''}">${i + 1}</a>`;
      return this.#d.isFlat ? link : this.#tag('li', 'page', link);
    });
    return this.#tag(this.#d.isFlat ? 'div' : 'ul', 'pages', links.join(''));
  }

  #menu(): string {
    const l = this.#l;
    return this.#tag(
      'div',
      'menu',
      l.times(
        3,
        6,
        () => `<a href="#" role="menuitem" class="${this.#d.classes.menuItem ?? ''}">${l.title(1, 2)}</a>`,
      ),
      ' style="position:static;display:block;width:200px"',
    );
  }

  #list(): string {
    const l = this.#l;
    return this.#tag(
      'ul',
      'list',
      l.times(3, 6, () => this.#tag('li', 'item', `${l.title(1, 4)} ${l.chance(0.4) ? this.#badge() : ''}`)),
    );
  }

  #table(rows = this.#l.whole(5, 10)): string {
    const l = this.#l;
    const columns = l.whole(3, 6);
    const makers = Array.from({ length: columns }, (_, i) =>
      i === 0
        ? l.pick([() => l.title(1, 3), () => `<a href="#">${l.title(1, 2)}</a>`])
        : l.pick([
            () => l.token(),
            () => l.token(),
            () => l.title(1, 3),
            () => this.#badge(),
            () => this.#button('small'),
          ]),
    );
    const head = `<thead><tr>${makers.map(() => `<th>${l.title(1, 2)}</th>`).join('')}</tr></thead>`;
    const body = Array.from(
      { length: rows },
      () => `<tr>${makers.map((make) => `<td>${make()}</td>`).join('')}</tr>`,
    );
    return this.#tag('table', 'table', `${head}<tbody>${body.join('')}</tbody>`, ' style="width:100%"');
  }

  #button(kind: 'primary' | 'plain' | 'danger' | 'small'): string {
    const text = this.#l.title(1, kind === 'small' ? 1 : 2);
    const own = this.#d.elements?.button?.(text);
    return (
      own ?? `<button class="${this.#d.classes.button ?? ''} ${this.#d.classes[kind] ?? ''}">${text}</button>`
    );
  }

  #iconButton(): string {
    return `<button class="${this.#d.classes.button ?? ''} ${this.#d.classes.plain ?? ''}">${this.#l.icon(16)}</button>`;
  }

  #group(): string {
    return this.#tag('div', 'group', this.#button('plain') + this.#button('plain') + this.#button('primary'));
  }

  #link(): string {
    return `<a href="#">${this.#l.title(1, 3)}</a>`;
  }

  #badge(): string {
    return this.#tag('span', 'badge', this.#l.title(1, 1));
  }

  #alert(): string {
    return this.#tag('div', 'alert', `${this.#l.sentence(5, 14)}`);
  }

  #progress(): string {
    const bar = this.#d.classes.bar;
    if (!bar) return `<progress value="${this.#l.whole(10, 90)}" max="100"></progress>`;
    return this.#tag('div', 'progress', `<div class="${bar}" style="width:${this.#l.whole(10, 90)}%"></div>`);
  }

  #input(): string {
    const l = this.#l;
    const text = l.chance(0.6) ? l.token() : '';
    const own = this.#d.elements?.input?.(text);
    return (
      own ??
      `<input class="${this.#d.classes.input ?? ''}" type="text" value="${text}" placeholder="${l.title(1, 3)}">`
    );
  }

  #select(): string {
    const text = this.#l.title(1, 2);
    const own = this.#d.elements?.select?.(text);
    return own ?? `<select class="${this.#d.classes.select ?? ''}"><option>${text}</option></select>`;
  }

  #field(): string {
    const l = this.#l;
    const area = () => {
      const text = l.chance(0.5) ? l.sentence(3, 10) : '';
      return (
        this.#d.elements?.textarea?.(text) ??
        `<textarea rows="3" class="${this.#d.classes.textarea ?? ''}">${text}</textarea>`
      );
    };
    const kind = l.number(0, 1);
    const control = kind < 0.65 ? this.#input() : kind < 0.88 ? this.#select() : area();
    const hint = l.chance(0.2) ? `<small>${l.sentence(3, 8)}</small>` : '';
    return this.#tag('div', 'field', `${this.#tag('label', 'label', l.title(1, 3))}${control}${hint}`);
  }

  #check(): string {
    const l = this.#l;
    const text = l.title(1, 4);
    const type = l.pick(['checkbox', 'checkbox', 'radio']);
    const own = this.#d.elements?.check?.(text);
    if (own) return own;
    const on = l.chance(0.4) ? ' checked' : '';
    const box = `<input type="${type}" class="${this.#d.classes.checkBox ?? ''}"${on}>`;
    return this.#d.classes.check
      ? `<div class="${this.#d.classes.check}">${box}<label>${text}</label></div>`
      : `<div><label>${box} ${text}</label></div>`;
  }
}
