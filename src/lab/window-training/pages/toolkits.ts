import { instrumentPanel } from './instruments.ts';
import type { Look } from './look.ts';
import { titleBar } from './title-bars.ts';
import { Controls } from './toolkit-controls.ts';
import { sidesOf, THEMES } from './toolkit-themes.ts';

/** One window as the common toolkits of the desktop draw it, or two. */
export function toolkit(l: Look): string {
  const theme = l.pick(THEMES);
  const size = l.pick([11, 12, 13, 13, 14, 15]);
  const kit = new Kit(l, theme);
  const full = l.chance(0.5);
  const one = full
    ? kit.window(0, 0, 1280, 800)
    : l.times(1, 2, (i) =>
        kit.window(
          l.whole(0, 360) + i * 260,
          l.whole(0, 160) + i * 140,
          l.whole(420, 900),
          l.whole(300, 620),
        ),
      );
  const font = l.pick([
    'Noto Sans',
    'DejaVu Sans',
    'Liberation Sans',
    'Noto Sans Display',
    'DejaVu Sans Condensed',
  ]);
  const desk = l.pick([
    l.colour(),
    '#000',
    '#3a6ea5',
    `linear-gradient(${l.whole(0, 180)}deg,${l.colour()},${l.colour()})`,
    theme.ground,
  ]);
  return `<style>body{margin:0;background:${desk};font:${size}px '${font}';color:${theme.ink}}</style><div style="position:relative;width:1280px;height:800px;overflow:hidden">${one}</div>`;
}

/** A window with what is in it. */
class Kit extends Controls {
  window(x: number, y: number, w: number, h: number): string {
    const { ground, line, radius } = this.t;
    const l = this.l;
    const head = l.chance(0.4) ? this.head() : l.chance(0.6) ? titleBar(l, this.t) : '';
    const menu = l.chance(0.55) ? this.menuBar() : '';
    const tools = l.chance(0.55) ? this.toolBar() : '';
    const status = l.chance(0.5)
      ? `<div style="padding:3px 8px;border-top:1px solid ${line};display:flex;gap:24px">${l.times(1, 3, () => `<span>${l.title(1, 4)}</span>`)}</div>`
      : '';
    const pad = l.whole(4, 18);
    const side = l.chance(0.4)
      ? `<div style="width:${l.whole(130, 260)}px;flex:none;background:${this.t.base};border-right:1px solid ${line};overflow:hidden">${l.pick([this.tree, this.list])()}</div>`
      : '';
    const main = l.pick([
      this.form,
      this.form,
      this.table,
      this.mixed,
      this.mixed,
      this.preferences,
      this.keys,
      this.text,
      this.icons,
      this.dialog,
      () => instrumentPanel(l, this.t),
      this.mixer,
      this.shelves,
    ])();
    return `<div data-part="window" style="position:absolute;left:${x}px;top:${y}px;width:${w}px;height:${h}px;background:${ground};display:flex;flex-direction:column;overflow:hidden;border:1px solid ${line};border-radius:${radius}px ${radius}px 0 0;box-shadow:0 3px ${l.whole(0, 20)}px rgba(0,0,0,.4)">${head}${menu}${tools}<div style="flex:1;min-height:0;display:flex;overflow:hidden">${side}<div style="flex:1;min-width:0;overflow:hidden;padding:${pad}px">${main}</div></div>${status}</div>`;
  }

  protected readonly head = (): string => {
    const l = this.l;
    const { bar, line, ink } = this.t;
    const gtk = l.chance(0.5);
    const h = gtk ? l.whole(38, 50) : l.whole(22, 32);
    const tone = gtk
      ? `background:${bar};border-bottom:1px solid ${line}`
      : l.pick([
          `background:${bar}`,
          `background:${this.t.accent};color:#fff`,
          `background:${l.colour()};color:#fff`,
        ]);
    const keys = l.times(
      1,
      3,
      () =>
        `<span role="button" style="width:${h * 0.8}px;text-align:center">${l.icon(l.whole(9, 16))}</span>`,
    );
    const left = gtk
      ? l.times(0, 3, () => l.pick([this.button, this.iconButton])())
      : l.chance(0.6)
        ? l.icon(16, l.colour())
        : '';
    const title = `<span style="flex:1;text-align:${l.pick(['center', 'center', 'left'])};font-weight:${l.pick([400, 700])}">${l.title(1, 5)}</span>`;
    return `<div data-part="titlebar" style="height:${h}px;flex:none;display:flex;align-items:center;gap:6px;padding:0 6px;color:${ink};${tone}">${left}${title}${gtk ? l.times(0, 2, () => this.iconButton()) : ''}${keys}</div>`;
  };

  protected readonly menuBar = (): string => {
    const l = this.l;
    const gap = l.whole(14, 40);
    const pad = l.whole(2, 6);
    const indent = l.pick([8, 24, 30]);
    const keyed = l.chance(0.6);
    const open = l.chance(0.3)
      ? `<div style="position:absolute;left:${l.whole(0, 200)}px;top:${l.whole(40, 70)}px;z-index:4;background:${this.t.base};border:1px solid ${this.t.line};padding:4px 0;box-shadow:2px 2px 6px rgba(0,0,0,.3)">${l.times(3, 10, (i) => (l.chance(0.15) ? `<div style="border-top:1px solid ${this.t.line};margin:4px 0"></div>` : `<div role="menuitem" style="display:flex;gap:${gap}px;padding:${pad}px ${l.pick([6, 12])}px ${pad}px ${indent}px;${i === 1 ? `background:${this.t.accent};color:#fff` : l.chance(0.15) ? 'opacity:.5' : ''}"><span style="flex:1">${l.title(1, 3)}</span><span>${l.pick(keyed ? ['', 'Ctrl+S', 'Shift+Ctrl+E', 'Delete', 'F5', '▸'] : ['', '', '', '▸'])}</span></div>`))}</div>`
      : '';
    return `<div style="display:flex;flex:none;padding:0 2px">${l.times(3, 9, () => `<span role="menuitem" style="padding:${l.pick([2, 4, 5])}px ${l.pick([5, 8, 9])}px">${l.title(1, 1)}</span>`)}</div>${open}`;
  };

  protected readonly toolBar = (): string => {
    const l = this.l;
    const under = l.chance(0.3);
    const size = l.pick([16, 16, 22, 24, 32]);
    const bare = () =>
      `<span role="button" style="padding:4px;text-align:center;display:inline-block">${l.icon(size, l.chance(0.6) ? l.colour() : 'currentColor')}${under ? `<div>${l.title(1, 1)}</div>` : ''}</span>`;
    const line = () => `<span style="width:1px;height:${size + 4}px;background:${this.t.line}"></span>`;
    // Panels of devices and older toolkits frame each button of a bar.
    const tool = l.chance(0.4) ? this.iconButton : bare;
    return `<div data-part="toolbar" style="flex:none;display:flex;align-items:center;gap:${l.pick([0, 2, 4])}px;padding:2px 4px;border-bottom:1px solid ${this.t.line};background:${this.t.bar}">${l.times(4, 14, () => l.pick([tool, tool, tool, tool, line, this.combo, this.button])())}</div>`;
  };

  protected readonly form = (): string => {
    const l = this.l;
    const w = l.whole(70, 170);
    const align = l.pick(['left', 'right']);
    const row = () =>
      `<div style="display:flex;align-items:center;gap:10px;margin:${l.whole(4, 10)}px 0"><span style="width:${w}px;flex:none;text-align:${align}">${l.title(1, 2)}:</span>${this.control()}</div>`;
    const body = `${l.times(3, 9, row)}${l.times(0, 4, () => `<div style="margin:6px 0">${this.check()}</div>`)}`;
    return `${l.chance(0.4) ? this.tabs(body) : body}${this.answers()}`;
  };

  protected readonly answers = (): string =>
    `<div style="display:flex;gap:6px;justify-content:${this.l.pick(['flex-end', 'center', 'flex-start', 'space-between'])};margin-top:12px">${this.l.times(1, 4, () => this.button())}</div>`;

  protected readonly tabs = (body: string): string => {
    const l = this.l;
    const { line, base, soft, accent } = this.t;
    const boxed = l.chance(0.6);
    const on = l.whole(0, 2);
    const tab = (i: number) =>
      `<span role="tab" style="padding:${l.whole(4, 8)}px ${l.whole(8, 18)}px;${boxed ? `border:1px solid ${line};border-bottom:0;background:${i === on ? base : soft}` : i === on ? `border-bottom:3px solid ${accent}` : ''}">${l.title(1, 2)}</span>`;
    return `<div style="display:flex">${l.times(2, 6, tab)}</div><div style="border:1px solid ${line};padding:10px;${l.chance(0.4) ? `background:${base}` : ''}">${body}</div>`;
  };

  protected readonly group = (): string => {
    const l = this.l;
    const body = l.times(1, 5, () => `<div style="margin:5px 0">${this.control()}</div>`);
    if (l.chance(0.4))
      return `<fieldset style="border:1px solid ${this.t.line};border-radius:${this.t.radius}px;margin:6px"><legend>${l.title(1, 2)}</legend>${body}</fieldset>`;
    return `<div style="margin:6px"><div style="${l.chance(0.5) ? 'font-weight:bold' : ''}">${l.title(1, 2)}</div><div style="border:1px solid ${this.t.line};border-radius:${this.t.radius}px;padding:8px;${l.chance(0.4) ? 'background:rgba(0,0,0,.025)' : ''}">${body}</div></div>`;
  };

  protected readonly mixed = (): string =>
    `<div style="display:grid;grid-template-columns:${this.l.pick(['1fr 1fr', '1fr', '1fr 1fr 1fr'])}">${this.l.times(2, 6, () => this.l.pick([this.group, this.group, this.list, () => `<div style="margin:6px">${this.l.times(1, 4, () => `${this.button()} `)}</div>`, this.table])())}</div>`;

  protected readonly table = (): string => {
    const l = this.l;
    const { line, base, soft, accent, button } = this.t;
    const columns = l.whole(2, 6);
    const grid = l.chance(0.5) ? `border:1px solid ${soft};` : '';
    const numbered = l.chance(0.3);
    const headTone = l.pick([button, button, base, this.t.bar]);
    const headSides =
      this.t.bevel > 0
        ? sidesOf(this.t, false)
        : l.chance(0.5)
          ? `border:1px solid ${line};border-top:0`
          : `border-right:1px solid ${line};border-bottom:1px solid ${line}`;
    const headAlign = l.pick(['left', 'left', 'center']);
    const cut = l.chance(0.3)
      ? 'max-width:90px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;'
      : '';
    const head = Array.from(
      { length: columns },
      () =>
        `<th data-control="button" style="padding:${l.whole(2, 5)}px 6px;background:${headTone};${headSides};text-align:${headAlign};font-weight:${l.pick([400, 700])}">${l.title(1, 2)}</th>`,
    ).join('');
    const selected = l.whole(0, 6);
    const side = l.pick([3, 4, 6, 6]);
    const kinds = Array.from({ length: columns }, () => l.pick(['words', 'token', 'check', 'icon']));
    const cell = (kind: string) =>
      kind === 'token'
        ? l.token()
        : kind === 'icon'
          ? `${l.icon(16, l.colour())} ${l.words(1, 2)}`
          : kind === 'check'
            ? this.check()
            : l.title(1, 3);
    const rows = l.times(
      3,
      16,
      (i) =>
        `<tr style="${i === selected ? `background:${accent};color:#fff` : l.chance(0.3) && i % 2 ? `background:${soft}` : ''}">${numbered ? `<td style="background:${button};border:1px solid ${line};padding:2px 6px">${i + 1}</td>` : ''}${kinds.map((kind) => `<td style="${grid}${cut}padding:${l.whole(1, 4)}px ${side}px">${cell(kind)}</td>`).join('')}</tr>`,
    );
    return `<div style="background:${base};border:1px solid ${line};overflow:hidden;margin:6px"><table style="border-collapse:collapse;width:${l.pick(['auto', '100%'])}"><tr>${numbered ? '<th></th>' : ''}${head}</tr>${rows}</table></div>`;
  };

  protected readonly list = (): string => {
    const l = this.l;
    const selected = l.whole(0, 5);
    const icons = l.chance(0.5);
    const h = l.whole(18, 38);
    return `<div style="background:${this.t.base};${l.chance(0.5) ? `border:1px solid ${this.t.line}` : ''}">${l.times(3, 14, (i) => `<div role="option" style="line-height:${h}px;padding:0 8px;${i === selected ? `background:${this.t.accent};color:#fff` : ''}">${icons ? `${l.icon(16, l.colour())} ` : ''}${l.title(1, 3)}</div>`)}</div>`;
  };

  protected readonly tree = (): string => {
    const l = this.l;
    const h = l.whole(18, 26);
    const selected = l.whole(0, 12);
    return l.times(
      4,
      20,
      (i) =>
        `<div style="display:flex;align-items:center;gap:4px;height:${h}px;padding-left:${l.pick([4, 4, 22, 22, 40])}px;${i === selected ? `background:${this.t.accent};color:#fff` : ''}">${l.chance(0.5) ? `<span style="font-size:9px">${l.pick(['▶', '▼', '▸', '▾'])}</span>` : ''}${l.chance(0.6) ? l.icon(16, l.colour()) : ''}<span role="treeitem">${l.title(1, 3)}</span></div>`,
    );
  };

  protected readonly preferences = (): string => {
    const l = this.l;
    return `<div style="border:1px solid ${this.t.line};border-radius:${this.t.radius}px;background:${this.t.base}">${l.times(3, 10, (i) => `<div style="display:flex;align-items:center;padding:${l.whole(6, 12)}px 12px;${i > 0 ? `border-top:1px solid ${this.t.soft}` : ''}"><div style="flex:1"><div>${l.title(1, 4)}</div>${l.chance(0.4) ? `<div style="font-size:.85em;opacity:.6">${l.sentence(3, 9)}</div>` : ''}</div>${l.pick([this.switch, this.switch, this.combo, this.spin, this.button, this.scale])()}</div>`)}</div>`;
  };

  protected readonly keys = (): string => {
    const l = this.l;
    const columns = l.whole(4, 8);
    const h = l.whole(28, 62);
    return `<div style="background:${this.t.base};border:1px solid ${this.t.line};padding:8px;text-align:right;font-size:1.5em;margin-bottom:8px">${l.whole(0, 999_999)}</div><div style="display:grid;grid-template-columns:repeat(${columns},1fr);gap:${l.whole(1, 6)}px">${l.times(16, 40, () => `<button style="font:inherit;color:inherit;height:${h}px;padding:0;${sidesOf(this.t, false)};background:${this.t.button}">${l.pick(['1', '2', '7', '8', '0', '+', '−', '×', '÷', '=', '%', '√', 'C', 'sin', 'ln', 'x²', 'π', 'Mod', '(', ')'])}</button>`)}</div>`;
  };

  /** Sliders side by side, upright, each with its name. */
  protected readonly mixer = (): string =>
    `<div style="display:flex;gap:${this.l.whole(14, 40)}px">${this.l.times(2, 8, () => `<div style="display:flex;flex-direction:column;align-items:center;gap:4px">${this.l.chance(0.5) ? `<span>${this.l.whole(0, 100)}</span>` : ''}${this.upright()}<span>${this.l.title(1, 1)}</span></div>`)}</div>${this.answers()}`;

  /** Drawers one above the other, one of them open; or a book whose tabs stand at its side. */
  protected readonly shelves = (): string => {
    const l = this.l;
    const { line, button, base } = this.t;
    if (l.chance(0.4)) {
      const tab = () =>
        `<span role="tab" style="padding:${l.whole(5, 12)}px ${l.whole(8, 14)}px">${l.title(1, 2)}</span>`;
      const book = `<div style="border:1px solid ${line};background:${base};flex:1;padding:8px">${this.form()}</div>`;
      const spine = `<div style="display:flex;flex-direction:column">${l.times(2, 6, tab)}</div>`;
      return `<div style="display:flex">${l.chance(0.5) ? spine + book : book + spine}</div>`;
    }
    const open = l.whole(0, 3);
    const drawer = (i: number) =>
      `<div role="button" style="padding:${l.whole(3, 7)}px 8px;background:${button};${sidesOf(this.t, false)};text-align:${l.pick(['left', 'left', 'center'])}">${l.title(1, 3)}</div>${i === open ? `<div style="padding:8px">${l.pick([this.list, this.icons, this.form])()}</div>` : ''}`;
    return l.times(3, 7, drawer);
  };

  protected readonly text = (): string =>
    `<div style="background:${this.t.base};border:1px solid ${this.t.line};padding:6px;height:${this.l.whole(120, 500)}px;overflow:hidden">${this.l.times(2, 8, () => `<p style="margin:6px 0">${this.l.sentence(4, 40)}</p>`)}</div>`;

  protected readonly icons = (): string => {
    const l = this.l;
    const w = l.whole(70, 120);
    const size = l.pick([32, 48, 64]);
    return `<div style="display:grid;grid-template-columns:repeat(auto-fill,${w}px);gap:12px;background:${this.t.base};padding:10px">${l.times(5, 24, () => `<div role="option" style="text-align:center;overflow:hidden">${l.icon(size, l.colour())}<div>${l.title(1, 2)}</div></div>`)}</div>`;
  };

  protected readonly dialog = (): string =>
    `<div style="display:flex;gap:14px;padding:8px">${this.l.icon(this.l.pick([32, 48]), this.l.colour())}<div><div style="font-weight:bold;margin-bottom:8px">${this.l.sentence(3, 8)}</div><div>${this.l.sentence(6, 24)}</div></div></div>${this.l.chance(0.4) ? this.check() : ''}${this.answers()}`;
}
