import type { Look } from './look.ts';
import { sidesOf, type Theme } from './toolkit-themes.ts';

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
    return `<button style="font:inherit;color:inherit;height:${this.#height}px;padding:0 ${l.whole(8, 22)}px;${sidesOf(this.t, false)};${main}">${l.chance(0.2) ? `${l.icon(14)} ` : ''}${l.title(1, 2)}</button>`;
  };

  protected readonly iconButton = (): string =>
    `<button style="color:inherit;width:${this.#height}px;height:${this.#height}px;padding:0;${sidesOf(this.t, false)};background:${this.t.button}">${this.l.icon(this.l.whole(10, Math.max(10, this.#height - 8)))}</button>`;

  protected readonly field = (): string => {
    const l = this.l;
    const edge = `${sidesOf(this.t, true)};${l.chance(0.12) ? `border-color:${this.t.accent}` : ''}`;
    return `<input ${l.pick(['', `value="${l.words(1, 3)}"`, `placeholder="${l.title(1, 2)}"`])} style="font:inherit;color:inherit;background:${this.t.base};box-sizing:border-box;padding:0 6px;height:${this.#height}px;width:${l.pick(['120px', '180px', '240px', '100%'])};${edge}">`;
  };

  protected readonly combo = (): string =>
    `<span role="combobox" style="display:inline-flex;box-sizing:border-box;align-items:center;height:${this.#height}px;width:${this.l.whole(80, 240)}px;padding:0 8px;${sidesOf(this.t, this.t.bevel > 0)};background:${this.t.bevel > 0 ? this.t.base : this.t.button}"><span style="flex:1">${this.l.title(1, 2)}</span>${this.#arrow()}</span>`;

  /** What opens a list: a bare sign, or a raised button at the end of the field. */
  readonly #arrow = (): string => {
    const sign = `<span style="border:${this.l.pick([3, 4, 5])}px solid transparent;border-top-color:${this.t.ink};border-bottom:0"></span>`;
    if (this.t.bevel === 0) return this.l.chance(0.5) ? this.l.icon(10) : sign;
    return `<span style="margin-right:-8px;align-self:stretch;width:16px;display:flex;align-items:center;justify-content:center;background:${this.t.button};${sidesOf(this.t, false)}">${sign}</span>`;
  };

  protected readonly spin = (): string => {
    const wide = this.l.chance(0.4);
    const h = this.#height;
    const step = (sign: string) =>
      `<span style="width:${wide ? h : 16}px;text-align:center;${wide ? `border-left:1px solid ${this.t.line};line-height:${h}px` : `line-height:${h / 2}px;font-size:8px`}">${sign}</span>`;
    return `<span role="spinbutton" style="display:inline-flex;box-sizing:border-box;height:${h}px;width:${this.l.whole(64, 160)}px;${sidesOf(this.t, true)};background:${this.t.base};overflow:hidden"><span style="flex:1;padding:0 6px;line-height:${h - 2}px">${this.l.whole(0, 999)}</span>${wide ? step('−') + step('+') : `<span style="display:flex;flex-direction:column">${step('▲')}${step('▼')}</span>`}</span>`;
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

  /** A slider that stands upright. */
  protected readonly upright = (): string => {
    const h = this.l.whole(80, 220);
    const at = this.l.whole(8, h - 12);
    const width = this.l.whole(3, 6);
    return `<span role="slider" style="position:relative;display:inline-block;width:22px;height:${h}px"><svg width="22" height="${h}"><rect x="${11 - width / 2}" y="0" width="${width}" height="${h}" rx="2" fill="${this.t.soft}" stroke="${this.t.line}"/><rect x="${11 - width / 2}" y="${at}" width="${width}" height="${h - at}" fill="${this.t.accent}"/>${this.t.bevel > 0 ? `<rect x="1" y="${at - 8}" width="20" height="16" fill="${this.t.button}" stroke="${this.t.line}"/>` : `<circle cx="11" cy="${at}" r="${this.l.whole(6, 10)}" fill="${this.t.base}" stroke="${this.t.line}"/>`}</svg></span>`;
  };

  /** A button that shows a colour. */
  protected readonly swatch = (): string =>
    `<span role="button" style="display:inline-block;box-sizing:border-box;padding:${this.l.whole(3, 6)}px;width:${this.l.whole(36, 120)}px;height:${this.#height}px;background:${this.t.button};${sidesOf(this.t, false)}"><span style="display:block;height:100%;background:${this.l.colour()}"></span></span>`;

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
      this.swatch,
    ])();
}
