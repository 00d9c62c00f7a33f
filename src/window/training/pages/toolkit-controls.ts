import type { Look } from './look.ts';

/** Colours and sizes of one toolkit of the desktop. */
export interface Theme {
  ground: string;
  base: string;
  ink: string;
  line: string;
  soft: string;
  accent: string;
  button: string;
  bar: string;
  radius: number;
  control: number;
}

export const THEMES: readonly Theme[] = [
  {
    ground: '#f6f5f4',
    base: '#ffffff',
    ink: '#2e3436',
    line: '#cdc7c2',
    soft: '#e6e3e0',
    accent: '#3584e4',
    button: 'linear-gradient(#f6f5f4,#edebe9)',
    bar: 'linear-gradient(#e1dedb,#dad6d2)',
    radius: 5,
    control: 34,
  },
  {
    ground: '#fafafa',
    base: '#ffffff',
    ink: '#323232',
    line: '#d5d5d5',
    soft: '#ebebeb',
    accent: '#3584e4',
    button: '#e6e6e6',
    bar: '#ebebeb',
    radius: 6,
    control: 34,
  },
  {
    ground: '#353535',
    base: '#2d2d2d',
    ink: '#eeeeec',
    line: '#1b1b1b',
    soft: '#454545',
    accent: '#15539e',
    button: 'linear-gradient(#373737,#323232)',
    bar: '#2b2b2b',
    radius: 5,
    control: 32,
  },
  {
    ground: '#efefef',
    base: '#ffffff',
    ink: '#000000',
    line: '#b4b4b4',
    soft: '#e0e0e0',
    accent: '#308cc6',
    button: 'linear-gradient(#fbfbfb,#e6e6e6)',
    bar: '#efefef',
    radius: 2,
    control: 24,
  },
  {
    ground: '#eff0f1',
    base: '#fcfcfc',
    ink: '#232627',
    line: '#bcbebf',
    soft: '#e3e5e7',
    accent: '#3daee9',
    button: '#fcfcfc',
    bar: '#dee0e2',
    radius: 3,
    control: 28,
  },
  {
    ground: '#31363b',
    base: '#232629',
    ink: '#eff0f1',
    line: '#5c6164',
    soft: '#3b4045',
    accent: '#3daee9',
    button: '#31363b',
    bar: '#2a2e32',
    radius: 3,
    control: 28,
  },
  {
    ground: '#f0f0f0',
    base: '#ffffff',
    ink: '#000000',
    line: '#adadad',
    soft: '#e1e1e1',
    accent: '#0078d7',
    button: '#e1e1e1',
    bar: '#ffffff',
    radius: 0,
    control: 23,
  },
  {
    ground: '#d4d0c8',
    base: '#ffffff',
    ink: '#000000',
    line: '#808080',
    soft: '#c4c0b8',
    accent: '#0a246a',
    button: '#d4d0c8',
    bar: '#d4d0c8',
    radius: 0,
    control: 23,
  },
  {
    ground: '#3c3f41',
    base: '#45494a',
    ink: '#bbbbbb',
    line: '#646464',
    soft: '#4c5052',
    accent: '#365880',
    button: '#4c5052',
    bar: '#3c3f41',
    radius: 4,
    control: 26,
  },
];

/** The controls of a toolkit. */
export class Controls {
  protected readonly l: Look;
  protected readonly t: Theme;
  readonly #height: number;

  constructor(look: Look, theme: Theme) {
    this.l = look;
    this.t = theme;
    this.#height = theme.control + look.whole(-2, 4);
  }

  protected readonly button = (): string => {
    const l = this.l;
    const main = l.chance(0.15) ? `background:${this.t.accent};color:#fff` : `background:${this.t.button}`;
    const raised = this.t.ground === '#d4d0c8' ? 'border:2px outset #fff' : `border:1px solid ${this.t.line}`;
    return `<button style="font:inherit;color:inherit;height:${this.#height}px;padding:0 ${l.whole(8, 22)}px;border-radius:${this.t.radius}px;${raised};${main}">${l.chance(0.2) ? `${l.icon(14)} ` : ''}${l.title(1, 2)}</button>`;
  };

  protected readonly iconButton = (): string =>
    `<button style="color:inherit;width:${this.#height}px;height:${this.#height}px;padding:0;border-radius:${this.t.radius}px;border:1px solid ${this.t.line};background:${this.t.button}">${this.l.icon(16)}</button>`;

  protected readonly field = (): string => {
    const l = this.l;
    const edge =
      this.t.ground === '#d4d0c8'
        ? 'border:2px inset #ccc'
        : `border:1px solid ${l.chance(0.12) ? this.t.accent : this.t.line}`;
    return `<input ${l.pick(['', `value="${l.words(1, 3)}"`, `placeholder="${l.title(1, 2)}"`])} style="font:inherit;color:inherit;background:${this.t.base};box-sizing:border-box;padding:0 6px;height:${this.#height}px;width:${l.pick(['120px', '180px', '240px', '100%'])};border-radius:${this.t.radius}px;${edge}">`;
  };

  protected readonly combo = (): string =>
    `<span role="combobox" style="display:inline-flex;box-sizing:border-box;align-items:center;height:${this.#height}px;width:${this.l.whole(80, 240)}px;padding:0 8px;border:1px solid ${this.t.line};border-radius:${this.t.radius}px;background:${this.t.button}"><span style="flex:1">${this.l.title(1, 2)}</span>${this.l.icon(10)}</span>`;

  protected readonly spin = (): string => {
    const wide = this.l.chance(0.4);
    const h = this.#height;
    const step = (sign: string) =>
      `<span style="width:${wide ? h : 16}px;text-align:center;${wide ? `border-left:1px solid ${this.t.line};line-height:${h}px` : `line-height:${h / 2}px;font-size:8px`}">${sign}</span>`;
    return `<span role="spinbutton" style="display:inline-flex;box-sizing:border-box;height:${h}px;width:${this.l.whole(64, 160)}px;border:1px solid ${this.t.line};border-radius:${this.t.radius}px;background:${this.t.base};overflow:hidden"><span style="flex:1;padding:0 6px;line-height:${h - 2}px">${this.l.whole(0, 999)}</span>${wide ? step('−') + step('+') : `<span style="display:flex;flex-direction:column">${step('▲')}${step('▼')}</span>`}</span>`;
  };

  /** Sign and words are one control here. */
  protected readonly check = (): string => {
    const round = this.l.chance(0.4);
    const on = this.l.chance(0.5);
    const sign = round
      ? `<svg width="16" height="16"><circle cx="8" cy="8" r="7" fill="${this.t.base}" stroke="${this.t.line}"/>${on ? `<circle cx="8" cy="8" r="4" fill="${this.t.accent}"/>` : ''}</svg>`
      : `<svg width="16" height="16"><rect x="1.5" y="1.5" width="13" height="13" rx="${Math.min(3, this.t.radius)}" fill="${on && this.l.chance(0.5) ? this.t.accent : this.t.base}" stroke="${this.t.line}"/>${on ? `<path d="M4 8l3 3 5-6" fill="none" stroke="${this.l.pick(['#fff', this.t.ink])}" stroke-width="2"/>` : ''}</svg>`;
    return `<span role="checkbox" style="display:inline-flex;gap:6px;align-items:center">${sign}<span>${this.l.title(1, 4)}</span></span>`;
  };

  protected readonly switch = (): string => {
    const on = this.l.chance(0.5);
    return `<span role="switch" style="display:inline-flex;box-sizing:border-box;justify-content:${on ? 'flex-end' : 'flex-start'};width:48px;height:26px;border-radius:14px;border:1px solid ${this.t.line};background:${on ? this.t.accent : this.t.soft}"><span style="box-sizing:border-box;width:24px;height:24px;border-radius:50%;background:${this.t.button};border:1px solid ${this.t.line}"></span></span>`;
  };

  protected readonly scale = (): string => {
    const w = this.l.whole(90, 260);
    const at = this.l.whole(0, w - 20);
    return `<span role="slider" style="position:relative;display:inline-block;width:${w}px;height:22px"><svg width="${w}" height="22"><rect x="0" y="9" width="${w}" height="4" rx="2" fill="${this.t.soft}" stroke="${this.t.line}"/><rect x="0" y="9" width="${at}" height="4" rx="2" fill="${this.t.accent}"/><circle cx="${at + 10}" cy="11" r="${this.l.whole(6, 10)}" fill="${this.t.base}" stroke="${this.t.line}"/></svg></span>`;
  };

  protected readonly progress = (): string => {
    const label = this.l.chance(0.4);
    return `<div style="box-sizing:border-box;height:${label ? 22 : this.l.whole(4, 12)}px;border:1px solid ${this.t.line};background:${this.t.soft};width:${this.l.whole(120, 320)}px;text-align:center;position:relative"><div style="position:absolute;left:0;top:0;bottom:0;width:${this.l.whole(5, 90)}%;background:${this.t.accent}"></div>${label ? `<span style="position:relative">${this.l.whole(0, 100)}%</span>` : ''}</div>`;
  };

  protected readonly control = (): string =>
    this.l.pick([
      this.field,
      this.field,
      this.combo,
      this.spin,
      this.check,
      this.switch,
      this.scale,
      this.button,
      this.progress,
    ])();
}
